"""Checks to show: the golden evaluation documents, evaluated, and spoilt ones."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from anchorhold.domain.contract import edition
from anchorhold.law.document import Document, document_from_json
from anchorhold.law.evaluation import evaluate
from anchorhold.law.result import Result
from anchorhold.report.view import CheckView
from anchorhold.report.viewing import view_of_document, view_of_result

CASES = Path(__file__).parents[1] / "golden" / "evaluation"


def raw(name: str) -> dict[str, Any]:
    """A fresh evaluation document that a test may spoil."""
    document = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))["document"]
    assert isinstance(document, dict)
    return document


def of_raw(document: dict[str, Any]) -> tuple[Result, Document]:
    read = document_from_json(document, where="sample")
    return evaluate(read, edition(7)), read


@cache
def case(name: str) -> CheckView:
    """One golden case with all that its document tells."""
    result, document = of_raw(raw(name))
    return view_of_document(result, document, project="Sparrow")


@cache
def bare(name: str) -> CheckView:
    """The result of the same case, and nothing beside it."""
    return view_of_result(case(name).result)


@cache
def defective() -> CheckView:
    """A check with two defects and a gap."""
    document = raw("case-28")
    first, second = (anchor["name"] for anchor in document["anchors"][:2])
    document["endpoints"]["new"]["conditions"]["threads"] = 7
    document["endpoints"]["old"]["long"][first] = {"wins": -4, "draws": 2, "losses": 2}
    document["endpoints"]["new"]["long"][second] = None
    result, read = of_raw(document)
    return view_of_document(result, read)


def altered(view: CheckView, **members: object) -> CheckView:
    """The same check with other members of its result."""
    from dataclasses import replace

    return replace(view, result=view.result.model_copy(update=members))
