"""What is released: the files of the sdist, fresh environments, and one without a compiler."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

HOME = Path(__file__).parent.parent
LEFT_BEHIND = shutil.ignore_patterns(
    ".*", "build", "dist", "site", "*.c", "*.so", "*.pyd", "*.egg-info", "__pycache__"
)
MAIN = ["solve", "--pysol", "3", "--pysol", "24"]
FAST = tuple(re.findall(r'"(_\w+)"', (HOME / "setup.py").read_text().partition(")")[0]))
slow = pytest.mark.slow


def test_what_is_built_is_what_is_listed() -> None:
    """The fast rooms of the build, of the linter and of the test run are the same."""
    assert {"_board", "_kernel", "_cheapest"} <= set(FAST)
    assert {path.stem for path in (HOME / "src/osmosis_solver").glob("_*.pyi")} == set(FAST)
    options = tomllib.loads((HOME / "pyproject.toml").read_text())["tool"]
    lints = options["ruff"]["lint"]["per-file-ignores"]
    for name in FAST:
        assert f"src/osmosis_solver/{name}.py" in lints
        assert (
            f"--ignore=src/osmosis_solver/{name}.py" in options["pytest"]["ini_options"]["addopts"]
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clean copy, the sdist made from that, and the wheel made from the sdist."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("release")
    shutil.copytree(HOME, folder / "clean", ignore=LEFT_BEHIND)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(folder / "clean")]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def sources(built: Path, *patterns: str) -> set[str]:
    """The files of the clean copy; the build adds to it what is not in the sdist or elsewhere."""
    clean = built / "clean"
    products = (".c", ".so", ".pyd", ".pyc")
    paths = (path for pattern in patterns for path in clean.glob(pattern) if path.is_file())
    return {path.relative_to(clean).as_posix() for path in paths if path.suffix not in products}


@slow
def test_the_sdist_holds_all(built: Path) -> None:
    """The sdist has every source, test, page and example, and nothing that a build makes."""
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    wanted = sources(built, "src/osmosis_solver/*", "tests/**/*", "docs/**/*", "examples/*")
    assert wanted - names == set()
    assert {
        f"src/osmosis_solver/{room}.{kind}" for room in FAST for kind in ("py", "pxd", "pyi")
    } <= (names)
    assert not [name for name in names if re.search(r"\.(c|so|pyd|pyc)$", name)]


@slow
def test_the_wheel_holds_all(built: Path) -> None:
    """The wheel has every source with its types, and the compiled rooms."""
    [wheel] = built.glob("*.whl")
    names = set(ZipFile(wheel).namelist())
    wanted = sources(built, "src/osmosis_solver/*.py", "src/osmosis_solver/*.pyi")
    assert {name.removeprefix("src/") for name in wanted} - names == set()
    assert "osmosis_solver/py.typed" in names
    compiled = {
        name.split("/")[1].split(".")[0] for name in names if re.search(r"\.(so|pyd)$", name)
    }
    assert compiled == set(FAST)


def fresh(folder: Path) -> Path:
    """The scripts of a new environment with nothing in it."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def run(program: Path, *args: str, environ: Mapping[str, str] | None = None) -> str:
    """What a program of an environment writes; the status 1 is a lost deal's."""
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [program, *args],
        capture_output=True,
        text=True,
        env={**plain, **(environ or {})},
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def holds_what_the_readme_shows(told: str) -> None:
    """The last part of what the main command tells is the README's, dots for what is left out."""
    shown = (HOME / "README.md").read_text().split("```text\n")[1].split("```")[0]
    for part in shown.split("...\n"):
        assert part in told


@slow
def test_a_fresh_environment_runs_the_main_command(built: Path, tmp_path: Path) -> None:
    """The wheel installs where there is nothing else, and does what the README shows."""
    [wheel] = built.glob("*.whl")
    scripts = fresh(tmp_path / "venv")
    run(scripts / "python", "-m", "pip", "install", str(wheel))
    assert run(scripts / "osmosis", "--version").endswith(", compiled kernel\n")
    holds_what_the_readme_shows(run(scripts / "osmosis", *MAIN))


@slow
def test_without_a_compiler(built: Path, tmp_path: Path) -> None:
    """Where no compiler is to be found the sdist installs all the same, and answers the same."""
    [sdist] = built.glob("*.tar.gz")
    scripts = fresh(tmp_path / "venv")
    # No program but those of the environment can be found; no variable names one.
    hidden = {"PATH": str(scripts), "CC": "no-such-compiler", "CXX": "no-such-compiler"}
    run(scripts / "python", "-m", "pip", "install", "--no-cache-dir", str(sdist), environ=hidden)
    assert run(scripts / "osmosis", "--version").endswith(", pure Python kernel\n")
    holds_what_the_readme_shows(run(scripts / "osmosis", *MAIN))
