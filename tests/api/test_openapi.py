"""The OpenAPI document is true: whatever it lets a client send is answered as it says, and never with a fault."""

from __future__ import annotations

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.settings import Settings
from service.wsgi import close, create_app
from tests.api.conftest import World
from tests.api.toy import Titles

CALLS = 2_000 if os.environ.get("CHANCERY_SOAK") else 300
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi")
    app = create_app(Settings(db=str(folder / "chancery.db"), secret="s" * 40, limit="off"), titles=Titles())
    yield World(app)
    close(app)


def test_every_operation_answers_as_described(world):
    anna, bert = world.person("Anna"), world.person("Bert")
    schema = schemathesis.openapi.from_wsgi("/openapi.json", world.app)
    operations = [found.ok() for found in schema.get_all_operations() if not found.ok().path.endswith("/events")]
    assert len(operations) > 30
    running = world.match(anna, bert)
    finished = world.match(anna, bert)
    world.play_on(finished, [anna, bert], 40)
    statuses = set()

    @given(st.data())
    @settings(
        max_examples=CALLS,
        derandomize=CALLS <= 300,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(data):
        operation = data.draw(st.sampled_from(operations))
        mode = data.draw(st.sampled_from(schemathesis.GenerationMode))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        sound = mode is schemathesis.GenerationMode.POSITIVE  # an id put right would put an invalid request right
        if sound and "match" in (case.path_parameters or {}) and data.draw(st.integers(0, 3)):
            opened = world.match(anna, start=False)
            case.path_parameters["match"] = data.draw(st.sampled_from([running, finished, opened]))
        token = data.draw(st.sampled_from([anna.token, bert.token]))
        response = case.call(headers={"Authorization": f"Bearer {token}"})
        statuses.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    call()
    assert {200, 404, 422} <= statuses
    assert statuses & {201, 202} or CALLS < 2_000, "in so many calls something is made"


def test_every_operation_says_what_it_does_and_what_it_answers(world):
    spec = world.client.get("/openapi.json").json
    assert spec["openapi"].startswith("3.1")
    for path, item in spec["paths"].items():
        for method in {"get", "post", "put", "delete"} & set(item):
            about = item[method]
            assert about["summary"] and about["tags"], (method, path)
            assert set(about["responses"]) & {"200", "201", "202", "204"}, (method, path)
            assert "default" in about["responses"] or path.endswith("/events"), (method, path)


def test_the_page_lists_every_operation_without_a_script(world):
    page = world.client.get("/docs").get_data(as_text=True)
    spec = world.client.get("/openapi.json").json
    for path, item in spec["paths"].items():
        for method in {"get", "post", "put", "delete"} & set(item):
            assert f"<code>{method.upper()} {path}</code>" in page
    assert "<script" not in page
