"""A model from its name, so that a notebook changes models by changing one line.

`anthropic:NAME`, `openai:NAME` and `google:NAME` are models of these providers; with the address of a server as
`base_url`, `openai:NAME` is a model of that server (Ollama, llama.cpp, vLLM, LM Studio, ...). `scripted:NAME` is a
script that ships with Cellwright, `scripted:FILE.json` one of your own, `recorded:FILE` gives the turns of a run's log
again, and `local:FILE.gguf` runs a small model on this machine. A provider's package is loaded when its first model is
made.
"""

from __future__ import annotations

import difflib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from cellwright.errors import ModelError
from cellwright.models.access import access_to
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.model import Model
from cellwright.models.recorded_model import RecordedModel
from cellwright.models.script_file import turns_of
from cellwright.models.scripted_model import ScriptedModel

SCRIPTS = {"tour": "cellwright.models.tour_script:Tour"}
"""Scripts that ship with Cellwright: what makes the model."""
ADAPTERS = {
    "anthropic": ("cellwright.models.anthropic_messages:AnthropicMessages", "anthropic"),
    "openai": ("cellwright.models.openai_responses:OpenAIResponses", "openai"),
    "openai-responses": ("cellwright.models.openai_responses:OpenAIResponses", "openai"),
    "openai-chat": ("cellwright.models.openai_chat:OpenAIChat", "openai"),
    "google": ("cellwright.models.pydantic_ai_direct:PydanticAIDirect", "pydantic-ai"),
}
"""What speaks to each provider, and the extra that it needs."""
OTHERS = (
    *("azure", "bedrock", "cerebras", "cohere", "deepseek", "fireworks", "github", "google-cloud", "groq", "heroku"),
    *("huggingface", "mistral", "moonshotai", "nebius", "openrouter", "sambanova", "together", "vercel", "xai", "zai"),
)
"""Providers that are spoken to as Google is, by the names that pydantic-ai has for them; most take more packages."""
NOTHING: Mapping[str, object] = {}


def model(
    name: str | None = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    options: Mapping[str, object] = NOTHING,
    patience: Patience = PATIENCE,
) -> Model:
    """The model of this name; without one, the first that is there, and standard error says which.

    `base_url` is the address of a server other than the provider's own, `api_key` a key other than that of the
    environment. `options` are for the provider, in its own words, such as `{"temperature": 0}`.

    Raises:
        ModelError: if the name says nothing, a key or package is missing, or a script can't be read.
    """
    if not isinstance(name, str | None):
        raise ModelError(f"{name!r:.80} is no name of a model; write model('anthropic:NAME')")
    if name is None:
        name, base_url = _found(base_url)
    kind, _, rest = name.partition(":")
    if base_url and kind in ("scripted", "recorded", "local"):
        raise ModelError(f"{name} has no server, so base_url={base_url!r} is not for it; leave one of the two out")
    match kind:
        case "scripted" if rest in SCRIPTS:
            make: Callable[[], ScriptedModel] = _loaded(SCRIPTS[rest])
            return make()
        case "scripted" if rest:
            return ScriptedModel(turns_of(Path(rest)), name)
        case "recorded" if rest:
            return RecordedModel(rest)
        case "local" if rest:
            return _local(Path(rest), options, patience)
        case _ if (kind in ADAPTERS or kind in OTHERS) and rest:
            made: Model = _of_provider(kind, rest, base_url, api_key)(options, patience)
            return made
    known = ", ".join(
        [*(f"scripted:{script}" for script in SCRIPTS), "scripted:FILE.json", "recorded:LOG", "local:FILE.gguf"]
    )
    raise ModelError(
        f"no model {name!r}{_meant(kind, rest)}; there are {known}, anthropic:NAME, openai:NAME and google:NAME; and "
        f"of {', '.join(OTHERS)}"
    )


def _meant(kind: str, rest: str) -> str:
    near = difflib.get_close_matches(kind, ["scripted", "recorded", "local", *ADAPTERS, *OTHERS], n=1) if rest else []
    return f" (did you mean {near[0]}:{rest}?)" if near else ""


def _local(path: Path, options: Mapping[str, object], patience: Patience) -> Model:
    if not path.is_file():
        raise ModelError(f"the weights {path} are not there; give a file in the format GGUF")
    process, local = (f"cellwright.models.{name}" for name in ("local_process:LocalProcess", "local_model:LocalModel"))
    if importlib.util.find_spec("xllamacpp") is None:  # it is loaded in a process of its own only
        raise ModelError("xllamacpp is not installed; run: pip install 'cellwright[local]'")
    made: Model = _adapter(local, "local")(path.name, _loaded(process)(path), options, patience)
    return made


def _of_provider(kind: str, name: str, base_url: str | None, api_key: str | None) -> Callable[..., Any]:
    """What makes the model. A provider that signs in in a way of its own finds its keys by itself."""
    place, extra = ADAPTERS["google" if kind in OTHERS else "openai-chat" if kind == "openai" and base_url else kind]
    provider = kind.removesuffix("-chat").removesuffix("-responses")
    access = access_to(provider, name, base_url, api_key, needs_key=kind not in OTHERS)
    return partial(_adapter(place, extra), access)


def _found(base_url: str | None) -> tuple[str, str | None]:
    """Name and address of the model where none is named; it is said, as it may cost something."""
    from cellwright.models.found_model import found_model, served_model

    if base_url:
        served = served_model(base_url)
        if not served:
            raise ModelError(f"no model was found at {base_url}; name it, as in model('openai:NAME', base_url=...)")
        return f"openai:{served}", base_url
    found = found_model()
    print(f"cellwright: no model is named, so {found.name} is used: {found.why}", file=sys.stderr)
    return found.name, found.base_url


def _adapter(place: str, extra: str) -> Any:  # noqa: ANN401 (a class that is known by its place)
    try:
        return _loaded(place)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("cellwright"):
            raise
        raise ModelError(f"{error.name} is not installed; run: pip install 'cellwright[{extra}]'") from None


def _loaded(place: str) -> Any:  # noqa: ANN401 (whatever stands there)
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
