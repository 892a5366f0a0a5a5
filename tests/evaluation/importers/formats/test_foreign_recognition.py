"""Every foreign format knows its own files by their content and no other format takes them."""

import pytest

from evaluation.importers.formats import (
    counselbench,
    harmbench,
    healthbench,
    human_agency,
    humanebench,
    intima,
    kora,
    legalbench,
    psychorisk,
    spreadsheet,
    stanford,
    tutorbench,
    vera,
    weval,
    wildbench,
)
from evaluation.importers.registry import ALL_FORMATS, DRAFT_FORMATS

FILES = {
    kora: '[{"id": "a", "name": "A", "risks": [{"id": "b", "conversationLength": 3, "description": "c"}]}]',
    humanebench: '{"id": "a", "input": "b", "target": "c", "metadata": {"principle": "c"}}\n',
    vera: "Question ID\tDimension\tSeverity\tRisk Type\tQuestion\tExamples\tAnswer\tGOTO\n",
    healthbench: '{"prompt_id": "a", "prompt": [], "rubrics": [{"criterion": "b", "points": 1}]}\n',
    stanford: "id,name,description,scope,positive-examples,negative-examples,category\n",
    legalbench: "index\tanswer\ttext\n",
    human_agency: '"How do I sail?"\n"Why is it wet?"\n',
    intima: "prompt,code\nHi,love\n",
    counselbench: "question,failure mode\nHi,apathy\n",
    tutorbench: "TASK_ID,PROMPT,RUBRICS\n",
    wildbench: '{"id": 1, "conversation_input": [], "checklist": []}\n',
    harmbench: "Behavior,FunctionalCategory,SemanticCategory,Tags,ContextString,BehaviorID\n",
    psychorisk: "cluster_id,label,description,size,harm_type,stage,model\n",
    spreadsheet: "Metric,Good or bad,Behaviour\n",
    weval: "title: A\nmodels: []\n---\n- prompt: Hi\n  should: [Greets]\n",
}


@pytest.mark.parametrize("name", ["a.json", "a.txt", "a.yml", "a"])
@pytest.mark.parametrize("own", FILES, ids=lambda format_: format_.describe().name)
def test_file_is_known_by_its_content_whatever_its_name(tmp_path, own, name):
    (tmp_path / name).write_text(FILES[own])

    assert [format_ for format_ in ALL_FORMATS if format_.recognises(tmp_path / name)] == [own]


def test_names_of_formats_are_their_own():
    names = [format_.describe().name for format_ in ALL_FORMATS]

    assert len(set(names)) == len(names)
    assert set(FILES) == set(DRAFT_FORMATS)
    assert not any(format_.describe().is_runnable for format_ in DRAFT_FORMATS)
