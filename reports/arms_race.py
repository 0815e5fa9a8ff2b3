"""The page of a HIDDEN SIGNAL series run, its findings and figures, written to files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from audit.behaviour.arms_race import arms_race, write_findings
from games.errors import Place, RunError
from games.run import MANIFEST
from games.series.folder import SeriesFolder, SeriesManifest
from games.study.signal import SignalStudy, load_signal_study
from games.trace import write_atomically

from .arms_race_page import SignalPage, signal_page
from .arms_race_rounds import browsable_rounds
from .filled import filled, inert_json
from .series_status import series_status_of

FIGURES = "figures"


@dataclass(frozen=True, slots=True)
class SignalReport:
    """What is written of a series run."""

    page: Path
    findings: Path
    figures: tuple[Path, ...]


def write_signal_report(
    run: SeriesFolder, out: Path | None = None, moved_to: str | None = None
) -> SignalReport:
    """Write a series run's findings, figures and page.

    Parameters
    ----------
    run : SeriesFolder
    out : Path, optional
        The page; ``report.html`` in the run by default. Findings and figures stand in the run.
    moved_to : str, optional
        Where the study stands now; where it stood by default.

    Raises
    ------
    RunError
        A record of the run breaks a rule, or a file of its study has changed since.
    StudyError
        The study is no longer where it stood.
    """
    manifest = run.manifest()
    study = _study(run, manifest, moved_to)
    found = arms_race(run)
    told = [run.told(series) for series in manifest.plan.series]
    page = signal_page(found, manifest, study, told, series_status_of(run).account)
    path = run.path / "report.html" if out is None else out
    html = filled(
        "arms_race",
        {"page": page, "rounds": Markup(inert_json(browsable_rounds(manifest, told)))},
        styles=("arms_race.css",),
    )
    write_atomically(path, html.encode("utf-8", "replace"))
    return SignalReport(path, write_findings(run, found), _write_pictures(run, page))


def _study(run: SeriesFolder, manifest: SeriesManifest, moved_to: str | None) -> SignalStudy:
    study = load_signal_study(manifest.study if moved_to is None else moved_to)
    for name, digest in manifest.study_files.items():
        if study.files.get(name) != digest:
            rule = "has changed in the study since this run was played"
            raise RunError(name, rule, place=Place(run.path / MANIFEST))
    return study


def _write_pictures(run: SeriesFolder, page: SignalPage) -> tuple[Path, ...]:
    """Write every figure that there is, and take away an older one that there is no more."""
    folder, written = run.path / FIGURES, []
    folder.mkdir(exist_ok=True)
    for picture in page.pictures.values():
        for ending, drawing in (("svg", picture.svg), ("png", picture.png)):
            path = folder / f"{picture.name}.{ending}"
            if drawing:
                write_atomically(path, drawing)
                written.append(path)
            else:
                path.unlink(missing_ok=True)
    return tuple(written)
