"""Where the cases of Generalship start."""

from __future__ import annotations

import pytest

from tests.games.generalship.campaign import Campaign


@pytest.fixture
def war():
    """Four nations, everybody with five people and nothing else."""
    return Campaign()
