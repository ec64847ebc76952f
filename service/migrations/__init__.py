"""Numbered changes of our own tables, each applied once, in order, never edited afterwards."""
