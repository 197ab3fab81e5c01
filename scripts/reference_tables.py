"""Tables of docs/reference that are made from the types: contract editions, register entries, document, result.

May import: pydantic, anchorhold.domain, anchorhold.law.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any, get_args

from pydantic import BaseModel

from anchorhold.domain.contract import Parameters, edition
from anchorhold.domain.payloads import PAYLOADS
from anchorhold.law.document import Document
from anchorhold.law.result import Result

EDITIONS = (7, 8)


def contract_tables() -> str:
    """Return the editions and every parameter with its value in each."""
    editions = [edition(number) for number in EDITIONS]
    rows = ["| edition | date | digest | remark |", "| --- | --- | --- | --- |"]
    rows += [f"| {one.edition} | {one.date} | `{one.digest}` | {one.remark or '–'} |" for one in editions]
    values = [one.parameters.model_dump(mode="json") for one in editions]
    rows += ["", f"| parameter | {' | '.join(f'edition {number}' for number in EDITIONS)} | meaning |"]
    rows.append("| --- |" + " --- |" * (len(EDITIONS) + 1))
    for name, field in Parameters.model_fields.items():
        rows.append(f"| `{name}` | {' | '.join(str(one[name]) for one in values)} | {field.description} |")
    return "\n".join(rows)


def register_tables() -> str:
    """Return a section for each kind of entry with the members of its payload, and the parts that several use."""
    parts: list[str] = []
    models: list[type[BaseModel]] = []
    for kind, payload in PAYLOADS.items():
        parts += [f"### `{kind}`", "", *_model(payload), ""]
        models += [one for one in _parts_of(payload) if one not in models]
    parts += ["## Parts of payloads", ""]
    for model in models:
        parts += [f"### {model.__name__}", "", *_model(model), ""]
    return "\n".join(parts[:-1])


def document_tables() -> str:
    """Return the members of an evaluation document and of a result, with the parts of both."""
    parts: list[str] = []
    for title, model in (("The evaluation document", Document), ("The result", Result)):
        parts += [f"## {title}", "", *_model(model), ""]
        for one in _parts_of(model):
            parts += [f"### {title.split()[-1].capitalize()}: {one.__name__}", "", *_model(one), ""]
    return "\n".join(parts[:-1])


def _complete(model: type[BaseModel]) -> type[BaseModel]:
    """Return the model with its members' types: one may have been named before its class stood in the file."""
    model.model_rebuild(force=True)
    return model


def _model(model: type[BaseModel]) -> list[str]:
    said = (inspect.getdoc(model) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
    if not _complete(model).model_fields:
        return [said]
    texts = _texts(model)
    rows = [said, "", "| member | form | needed | meaning |", "| --- | --- | --- | --- |"]
    for name, field in model.model_fields.items():
        form = _form(field.annotation).replace("|", "\\|")
        needed = "yes" if field.is_required() else ""
        meaning = (field.description or texts.get(name, "")).replace("|", "\\|").replace("``", "`")
        rows.append(f"| `{field.alias or name}` | {form} | {needed} | {meaning} |")
    return rows


def _texts(model: type[BaseModel]) -> dict[str, str]:
    """Return what stands below a member in its class, and in those that it comes from."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if not issubclass(base, BaseModel) or base is BaseModel:
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for member, text in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(member, ast.AnnAssign)
                and isinstance(member.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                found[member.target.id] = " ".join(str(text.value.value).split())
    return found


def _form(annotation: Any) -> str:
    """Say in words what a member may be."""
    arguments = get_args(annotation)
    name = getattr(annotation, "__name__", str(annotation))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"{name}"
    origin = str(getattr(annotation, "__origin__", ""))
    if "Literal" in origin:
        return ", ".join(f"`{one}`" for one in arguments)
    if hasattr(annotation, "__metadata__"):
        return _form(arguments[0])
    if name in ("list", "tuple"):
        inner = [one for one in arguments if one is not Ellipsis]
        if len(inner) > 1:
            return f"{len(inner)} × {_form(inner[0])}"
        return f"list of {_form(inner[0])}" if inner else "list"
    if name in ("dict", "Mapping"):
        return f"object: name → {_form(arguments[1])}" if len(arguments) == 2 else "object"
    if arguments:
        forms = [form for one in arguments for form in _form(one).split(" or ")]
        return " or ".join(sorted(dict.fromkeys(forms), key=lambda form: form == "null"))
    plain = {"str": "text", "int": "integer", "float": "number", "bool": "true or false", "NoneType": "null"}
    return plain.get(name, "any value")


def _parts_of(model: type[BaseModel]) -> list[type[BaseModel]]:
    """Return the models that a model's members hold, in their order, and what these hold."""
    found: list[type[BaseModel]] = []

    def look(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            if annotation not in found:
                found.append(annotation)
                for field in _complete(annotation).model_fields.values():
                    look(field.annotation)
            return
        for argument in get_args(annotation):
            look(argument)

    for field in _complete(model).model_fields.values():
        look(field.annotation)
    return found
