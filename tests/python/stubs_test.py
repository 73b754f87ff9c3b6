"""The stubs of types name what the module has, with the same parameters."""
import ast
import inspect
import pathlib
import unittest

import tofn

STUB = pathlib.Path(tofn.__file__).with_name("__init__.pyi")
ADVICE = "write the stubs again: PYTHONPATH=build/python scripts/write_stubs.py"


def parameters_of_stub(function):
    """(kind, name, whether it may be left out) of each."""
    given = function.args
    needed = len(given.posonlyargs + given.args) - len(given.defaults)
    for index, one in enumerate(given.posonlyargs + given.args):
        kind = inspect.Parameter.POSITIONAL_ONLY if one in given.posonlyargs else inspect.Parameter.POSITIONAL_OR_KEYWORD
        yield kind, one.arg, index >= needed
    if given.vararg:
        yield inspect.Parameter.VAR_POSITIONAL, given.vararg.arg, False
    for one, default in zip(given.kwonlyargs, given.kw_defaults):
        yield inspect.Parameter.KEYWORD_ONLY, one.arg, default is not None
    if given.kwarg:
        yield inspect.Parameter.VAR_KEYWORD, given.kwarg.arg, False


def parameters_of_module(function):
    for one in inspect.signature(function).parameters.values():
        yield one.kind, one.name, one.default is not one.empty


def public(names):
    return {name for name in names if not name.startswith("_")}


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        body = ast.parse(STUB.read_text(encoding="utf-8")).body
        cls.functions = {one.name: one for one in body if isinstance(one, ast.FunctionDef)}
        cls.classes = {one.name: one for one in body if isinstance(one, ast.ClassDef)}

    def test_functions_have_the_same_parameters(self):
        for name, stub in self.functions.items():
            if name != "version":  # of C++, without a signature
                with self.subTest(name):
                    self.assertEqual([*parameters_of_stub(stub)], [*parameters_of_module(getattr(tofn, name))], ADVICE)

    def test_names_are_the_same(self):
        known = public(name for name, value in vars(tofn).items() if not inspect.ismodule(value))
        self.assertEqual(public({*self.functions, *self.classes}), known, ADVICE)
        self.assertEqual({*tofn.__all__} | {"list", "help"}, known)

    def test_classes_have_the_same_members(self):
        for name, stub in self.classes.items():
            with self.subTest(name):
                members = {one.name for one in stub.body if isinstance(one, ast.FunctionDef)}
                members |= {one.target.id for one in stub.body if isinstance(one, ast.AnnAssign)}
                inherited = public(dir(Exception)) | ({"exit_code"} if name == "Error" else set())
                self.assertEqual(public(members) - inherited, public(dir(getattr(tofn, name))) - inherited)

    def test_methods_have_the_same_parameters(self):
        for name in ("Answer", "Drawing"):
            for stub in self.classes[name].body:
                if isinstance(stub, ast.FunctionDef) and stub.decorator_list == [] and not stub.name.startswith("_"):
                    with self.subTest(f"{name}.{stub.name}"):
                        method = getattr(getattr(tofn, name), stub.name)
                        self.assertEqual([*parameters_of_stub(stub)], [*parameters_of_module(method)])

    def test_an_error_has_its_code(self):
        try:
            tofn.predict("bert", "nowhere")
        except tofn.Error as error:
            self.assertEqual(error.exit_code, 2)


if __name__ == "__main__":
    unittest.main()
