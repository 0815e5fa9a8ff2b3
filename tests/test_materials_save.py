from __future__ import annotations

import os
from pathlib import Path

import pytest

from games.errors import MaterialsError, StudyError
from games.materials import save
from games.materials.compare import compare_lists
from games.materials.paper import extract_paper
from games.materials.save import Whose, data_home, read_verbatim, save_verbatim, verbatim_folder
from games.records import digest
from games.study.prompts import PromptRole, load_prompts
from games.study.study import load_study

from .lookalikes import paper_text, prints

SOURCES = os.environ.get("AIDG_SOURCES")
OURS = {PromptRole.SEEKER_I_B, PromptRole.ARBITER}


@pytest.fixture
def materials(tmp_path):
    path = tmp_path / "paper.txt"
    path.write_text(paper_text(), encoding="utf-8")
    return extract_paper(path, prints())


@pytest.fixture
def ours(study_folder):
    return study_folder / "prompts" / "ours"


def test_the_set_is_a_prompt_set_that_says_whose_text_each_role_is(materials, ours, tmp_path):
    saved = save_verbatim(materials, ours, tmp_path / "home")
    assert saved.folder == tmp_path / "home" / "small" / "prompts" / "verbatim"
    loaded = load_prompts(saved.folder).prompts
    assert [prompt.role for prompt in saved.prompts] == list(PromptRole)
    for prompt in saved.prompts:
        assert prompt.whose is (Whose.OURS if prompt.role in OURS else Whose.PAPER)
        assert bool(prompt.printed_as) == (prompt.whose is Whose.PAPER)
        assert prompt.path.name == f"{prompt.role.value}.txt"
        assert prompt.fingerprint == loaded[prompt.role].fingerprint
    for role, prompt in loaded.items():
        own = (ours / f"{role.value}.txt").read_text()
        assert prompt.text == (own if role in OURS else f"{materials.prompts[role]}\n")


def test_the_notices_of_the_set_are_ours(materials, ours, tmp_path):
    saved = save_verbatim(materials, ours, tmp_path)
    assert (saved.folder / "notices.toml").read_text() == (ours / "notices.toml").read_text()
    assert saved.notices == digest((ours / "notices.toml").read_text())
    assert load_prompts(saved.folder).notices == load_prompts(ours).notices


def test_a_study_is_played_with_the_saved_set(materials, ours, study_folder, tmp_path):
    saved = save_verbatim(materials, ours, tmp_path)
    own, theirs = load_study(study_folder), load_study(study_folder, saved.folder)
    assert theirs.prompts == load_prompts(saved.folder)
    before, after = own.prompt_prints(), theirs.prompt_prints()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {role.value for role in set(PromptRole) - OURS}
    assert own.fingerprint == theirs.fingerprint


def test_a_secret_goes_into_the_saved_prompts(materials, ours, tmp_path):
    prompt = load_prompts(save_verbatim(materials, ours, tmp_path).folder).prompts[
        PromptRole.HOLDER_I
    ]
    assert 'YOUR ONE THING: "{x}"' in prompt.fill({"secret": "{x}"})


def test_saving_twice_gives_the_same_bytes_and_leaves_nothing_beside(materials, ours, tmp_path):
    first = save_verbatim(materials, ours, tmp_path / "home")
    before = {path.name: path.read_bytes() for path in first.folder.iterdir()}
    assert save_verbatim(materials, ours, tmp_path / "home") == first
    assert {path.name: path.read_bytes() for path in first.folder.iterdir()} == before
    assert len(before) == len(PromptRole) + 2
    assert [path.name for path in first.folder.parent.iterdir()] == ["verbatim"]


def test_a_set_read_back_is_the_set_saved(materials, ours, tmp_path):
    saved = save_verbatim(materials, ours, tmp_path)
    assert read_verbatim(verbatim_folder(tmp_path, "small")) == saved


def test_words_with_marks_of_toml_are_saved_as_they_are(materials, ours, tmp_path):
    odd = save.PaperMaterials(
        study="small",
        source='a "test" \\ é',
        document=materials.document,
        prompts=materials.prompts,
        secrets=(),
        nouns=(),
    )
    assert save_verbatim(odd, ours, tmp_path).source == 'a "test" \\ é'


def test_a_text_changed_after_saving_is_refused(materials, ours, tmp_path):
    path = save_verbatim(materials, ours, tmp_path).folder / "holder_i.txt"
    was = digest(path.read_text())[:8]
    path.write_text("You are free.\n")
    now = digest("You are free.\n")[:8]
    with pytest.raises(MaterialsError) as caught:
        read_verbatim(path.parent)
    rule = f"`holder_i.txt` must be as saved (fingerprint {was}), found '{now}'"
    assert str(caught.value) == f"{path}: {rule}"


def test_notices_changed_or_lost_after_saving_are_refused(materials, ours, tmp_path):
    path = save_verbatim(materials, ours, tmp_path).folder / "notices.toml"
    path.write_text(path.read_text().replace("Begin", "Start"))
    with pytest.raises(MaterialsError, match=r"`notices\.toml` must be as saved \(fingerprint "):
        read_verbatim(path.parent)
    path.unlink()
    with pytest.raises(MaterialsError, match=r"`notices\.toml` is missing"):
        read_verbatim(path.parent)
    sources = path.with_name("SOURCES.toml")
    kept = [line for line in sources.read_text().splitlines() if not line.startswith("notices")]
    sources.write_text("\n".join(kept))
    with pytest.raises(MaterialsError, match=r"`notices` is missing"):
        read_verbatim(path.parent)


def test_a_set_without_a_role_or_without_its_sources_is_refused(materials, ours, tmp_path):
    folder = save_verbatim(materials, ours, tmp_path).folder
    sources = folder / "SOURCES.toml"
    kept = sources.read_text().split("\n[prompts.arbiter]")[0]
    sources.write_text(kept)
    with pytest.raises(MaterialsError, match=r"`prompts\.arbiter` is missing"):
        read_verbatim(folder)
    sources.write_text(kept.replace('whose = "ours"', 'whose = "nobody"'))
    with pytest.raises(MaterialsError, match="must be one of 'paper' or 'ours', found 'nobody'"):
        read_verbatim(folder)
    sources.unlink()
    with pytest.raises(MaterialsError, match=r"`SOURCES\.toml` is missing"):
        read_verbatim(folder)


def test_our_own_set_must_be_whole(materials, ours, tmp_path):
    (ours / "arbiter.txt").unlink()
    with pytest.raises(StudyError, match=r"`arbiter\.txt` is missing"):
        save_verbatim(materials, ours, tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(materials, ours, tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(MaterialsError, match=r"`verbatim` must be a folder that can be written \("):
        save_verbatim(materials, ours, tmp_path / "home")


@pytest.mark.parametrize("breaks", ["holder_ii.txt", "rename"])
def test_a_save_that_breaks_off_leaves_the_former_set(
    materials, ours, tmp_path, monkeypatch, breaks
):
    saved = save_verbatim(materials, ours, tmp_path)
    write, rename = save.write_atomically, Path.rename

    def broken_write(path, payload):
        if path.name == breaks:
            raise OSError(28, "No space left on device")
        write(path, payload)

    def broken_rename(path, target):
        if breaks == "rename" and path.name.endswith(".part"):
            raise OSError(5, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(save, "write_atomically", broken_write)
    monkeypatch.setattr(Path, "rename", broken_rename)
    with pytest.raises(MaterialsError, match="must be a folder that can be written"):
        save_verbatim(materials, ours, tmp_path)
    assert read_verbatim(saved.folder) == saved
    assert [path.name for path in saved.folder.parent.iterdir()] == ["verbatim"]


@pytest.mark.parametrize(
    ("environ", "home"),
    [
        ({"AIDG_DATA_HOME": "/a", "XDG_DATA_HOME": "/b"}, Path("/a")),
        ({"XDG_DATA_HOME": "/b"}, Path("/b/aidg")),
        ({"AIDG_DATA_HOME": "", "XDG_DATA_HOME": "/b"}, Path("/b/aidg")),
        ({"XDG_DATA_HOME": "relative"}, Path.home() / ".local/share/aidg"),
        ({"XDG_DATA_HOME": ""}, Path.home() / ".local/share/aidg"),
        ({}, Path.home() / ".local/share/aidg"),
        ({"AIDG_DATA_HOME": "~/x"}, Path.home() / "x"),
    ],
)
def test_the_data_folder_follows_the_environment(environ, home):
    assert data_home(environ) == home


def test_lists_are_compared_entry_by_entry(materials, study):
    secrets, nouns = compare_lists(materials, study)
    assert (secrets.printed, secrets.shared) == (3, 2)
    assert secrets.absent == ("the ferry leaves at 6",)
    assert str(nouns) == (
        "nouns: 2 of 6 as in the study; not in the study: stool (furniture); "
        "hose (garden things); rake (garden things); wheelbarrow (garden things); "
        "in the study alone: apple (fruit); kettle (kitchenware); bicycle (vehicle); "
        "scarf (clothing)"
    )


@pytest.mark.sources
@pytest.mark.skipif(SOURCES is None, reason="AIDG_SOURCES is unset")
def test_the_paper_itself_agrees_with_the_shipped_study_and_is_saved(tmp_path):
    study = load_study("aidg")
    materials = extract_paper(next(Path(SOURCES).glob("000_*.txt")))
    assert [str(check) for check in compare_lists(materials, study)] == [
        "secrets: 20 of 20 as in the study",
        "nouns: 100 of 100 as in the study",
    ]
    saved = save_verbatim(materials, study.folder / "prompts" / "ours", tmp_path)
    assert {p.role for p in saved.prompts if p.whose is Whose.OURS} == OURS
    assert "{secret}" in load_prompts(saved.folder).prompts[PromptRole.SEEKER_I_A].text
