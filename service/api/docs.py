"""The OpenAPI document as a page that can be read with scripts off."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response
from flask_smorest import Api
from jinja2 import Environment

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ spec.info.title }} API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<h1>{{ spec.info.title }} API</h1>
<p>{{ spec.info.description }}</p>
<p>The same for programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI {{ spec.openapi }}).</p>
</header>
<nav aria-label="Sections"><ul>
{% for tag in tags %}<li><a href="#{{ tag }}">{{ tag }}</a></li>{% endfor %}
<li><a href="#schemas">schemas</a></li>
</ul></nav>
<main>
{% for tag, operations in tags.items() %}
<section id="{{ tag }}">
<h2>{{ tag }}</h2>
{% for operation in operations %}
<article>
<h3><code>{{ operation.method }} {{ operation.path }}</code></h3>
<p>{{ operation.summary }}.{% if operation.description %} {{ operation.description }}{% endif %}</p>
{% if operation.parameters %}
<table><caption>Parameters</caption>
<thead><tr><th>name</th><th>in</th><th>type</th><th>meaning</th></tr></thead>
<tbody>
{% for parameter in operation.parameters %}
<tr><td><code>{{ parameter.name }}</code>{% if parameter.required %} (required){% endif %}</td><td>{{ parameter.in }}</td>
<td>{{ kind(parameter.schema) }}</td><td>{{ parameter.description or "" }}</td></tr>
{% endfor %}
</tbody></table>
{% endif %}
{% if operation.body %}<p>Body: {{ kind(operation.body) }}</p>{% endif %}
<p>Answers: {% for status, schema in operation.answers %}{{ status }} {{ kind(schema) }}{% if not loop.last %}, {% endif %}{% endfor %}</p>
</article>
{% endfor %}
</section>
{% endfor %}
<section id="schemas">
<h2>schemas</h2>
{% for name, schema in spec.components.schemas.items() %}
<article id="schema-{{ name }}">
<h3>{{ name }}</h3>
<table><thead><tr><th>field</th><th>type</th><th>meaning</th></tr></thead>
<tbody>
{% for field, about in (schema.properties or {}).items() %}
<tr><td><code>{{ field }}</code>{% if field in (schema.required or []) %} (required){% endif %}</td>
<td>{{ kind(about) }}</td><td>{{ about.description or "" }}</td></tr>
{% endfor %}
</tbody></table>
</article>
{% endfor %}
</section>
</main>
</body>
</html>
"""

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: #222; background: #fff }
code { font-family: ui-monospace, monospace }
h2 { border-bottom: 2px solid #7a1f1f; text-transform: capitalize }
article { margin: 1.5rem 0 }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; font-weight: 600 }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid #ccc; padding: .25rem .75rem .25rem 0 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #191613 } a { color: #e0a96d } }
"""


def kind(schema: Any) -> str:
    """A schema in a few words."""
    if not schema:
        return ""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    found = schema.get("type", "anything")
    found = "/".join(found) if isinstance(found, list) else str(found)
    if schema.get("enum"):
        return " | ".join(str(choice) for choice in schema["enum"])
    if found.startswith("array"):
        return f"list of {kind(schema.get('items')) or 'anything'}"
    return found


def sections(spec: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The operations by their tag, parameters resolved."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, item in spec["paths"].items():
        for method in ("get", "post", "put", "delete"):
            if method not in item:
                continue
            about = item[method]
            body = about.get("requestBody", {}).get("content", {})
            answers = [
                (status, next(iter(answer.get("content", {}).values()), {}).get("schema"))
                for status, answer in sorted(about["responses"].items())
                if "$ref" not in answer
            ]
            found.setdefault(about["tags"][0], []).append(
                {
                    "path": path,
                    "method": method.upper(),
                    "summary": about.get("summary", ""),
                    "description": about.get("description", ""),
                    "parameters": [*item.get("parameters", []), *about.get("parameters", [])],
                    "body": next(iter(body.values()), {}).get("schema"),
                    "answers": answers,
                }
            )
    return found


def register(app: Flask, api: Api) -> None:
    blueprint = Blueprint("docs", __name__)
    page = Environment(autoescape=True).from_string(PAGE)

    @blueprint.get("/docs")
    def docs() -> str:
        spec = api.spec.to_dict()
        return page.render(spec=spec, tags=sections(spec), kind=kind)

    @blueprint.get("/docs/style.css")
    def style() -> Response:
        return Response(STYLE, mimetype="text/css")

    app.register_blueprint(blueprint)
