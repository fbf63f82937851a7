"""Whether a value has the shape that a JSON Schema says: as much of draft 2020-12 as the project's schemas use.

A keyword that is not known here is an error, so that no schema says more than is checked.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
# Say nothing about the value.
NOTES = {"$schema", "$id", "title", "description"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_a(value, name):
    if name == "number":
        return is_number(value)
    if name == "integer":
        return is_number(value) and value == int(value)
    return isinstance(value, TYPES[name])


def problems(value, schema, at="$"):
    """What is wrong with it, a sentence each."""
    checks = {
        "type": lambda want: is_a(value, want),
        "const": lambda want: value == want,
        "enum": lambda want: value in want,
        "pattern": lambda want: not isinstance(value, str) or re.search(want, value),
        "minimum": lambda want: not is_number(value) or value >= want,
        "maximum": lambda want: not is_number(value) or value <= want,
        "minItems": lambda want: not isinstance(value, list) or len(value) >= want,
        "maxItems": lambda want: not isinstance(value, list) or len(value) <= want,
        "required": lambda want: not isinstance(value, dict) or set(want) <= set(value),
    }
    nested = {"properties", "additionalProperties", "items"}
    unknown = set(schema) - set(checks) - nested - NOTES
    assert not unknown, f"{at}: this checks no {', '.join(sorted(unknown))}"
    found = [f"{at}: {key} {want!r} does not hold for {str(value)[:200]!r}"
             for key, want in schema.items() if key in checks and not checks[key](want)]
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        for key, each in value.items():
            if key in known:
                found += problems(each, known[key], f"{at}.{key}")
            elif more is False:
                found.append(f"{at}: no property is called {key!r}")
            elif more is not True:
                found += problems(each, more, f"{at}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, each in enumerate(value):
            found += problems(each, schema["items"], f"{at}[{i}]")
    return found
