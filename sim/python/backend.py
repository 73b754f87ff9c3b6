"""Builds the wheel with CMake, as PEP 517 asks of a build backend; the configs lie in it beside the module.

The build stays in build-python/ of the checkout, so that a second one is short; another folder:
pip install --config-settings build-folder=FOLDER ./sim/python
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# A wheel has what every machine has; MPI and GPUs serve programs that are started by themselves.
OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DTOFN_MPI=OFF", "-DTOFN_NCCL=OFF", "-DTOFN_BLAS=OFF",
           "-DTOFN_PYTHON=ON", "-DTOFN_PYTHON_FOLDER=.")


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def built_package(build, folder):
    """Puts the package `tofn` with its module, as CMake installs it, into the folder."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not (build / "CMakeCache.txt").exists() else []
    run("cmake", "-S", ROOT, "-B", build, *generator, *OPTIONS, f"-DPython_EXECUTABLE={sys.executable}")
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or os.cpu_count() or 1
    run("cmake", "--build", build, "--target", "tofn_python", "--parallel", jobs)
    run("cmake", "--install", build, "--component", "python", "--prefix", folder, "--strip")


def version():
    return re.search(r"^project\(tofn VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def metadata():
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version()}\nSummary: {project['description']}\n"
            f"Requires-Python: {project['requires-python']}\n")


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def files_of_wheel(folder):
    """(name in the wheel, content, mode) of each."""
    for root in (folder, ROOT):
        top = folder / "tofn" if root == folder else ROOT / "configs"
        for file in sorted(path for path in top.rglob("*") if path.is_file()):
            name = file.relative_to(root).as_posix()
            is_program = file.suffix == ".so"
            yield name if root == folder else f"tofn/share/tofn/{name}", file.read_bytes(), 0o755 if is_program else 0o644
    about = f"tofn-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: tofn\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    yield f"{about}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644
    yield f"{about}/METADATA", metadata().encode(), 0o644
    yield f"{about}/WHEEL", wheel.encode(), 0o644


def write_wheel(path, folder):
    record = f"tofn-{version()}.dist-info/RECORD"
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, content, mode):
            entry = zipfile.ZipInfo(name)  # of one date, so that the same sources are the same wheel
            entry.external_attr = mode << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)

        for name, content, mode in files_of_wheel(folder):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content, mode)
        add(record, "".join([*rows, f"{record},,\n"]).encode(), 0o644)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Of PEP 517: its file's name."""
    build = pathlib.Path((config_settings or {}).get("build-folder", ROOT / "build-python")).resolve()
    name = f"tofn-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        built_package(build, pathlib.Path(folder))
        write_wheel(pathlib.Path(wheel_directory) / name, pathlib.Path(folder))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("tofn is built from its checkout: pip install ./sim/python")
