"""A ReLiK model small enough to be made by a test, for the package `relik` itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

SENTENCES = ("Elon Musk founded Tesla.", "Anna Berg founded Rivian.")
RELATIONS = ("founded", "place of birth")
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = ("Elon", "Musk", "founded", "Tesla", ".", "Anna", "Berg", "Rivian", "place", "of", "birth")


def write_relik(folder: Path) -> Path:
    """A reader trained on two sentences, alone and repeated, and a retriever that finds both relations for anything."""
    torch, relik = import_module("torch"), "relik.reader.pytorch_modules.triplet"
    torch.manual_seed(0)
    torch.set_num_threads(1)
    encoder = _write_encoder(folder / "encoder")
    reader = import_module(relik).RelikReaderForTripletExtraction(
        str(encoder), additional_special_symbols=len(RELATIONS), linears_hidden_size=32, training=True
    )
    data = import_module("relik.reader.data.relik_reader_re_data").RelikREDataset(
        None, False, str(encoder), [f"[R-{number}]" for number in range(len(RELATIONS))]
    )
    data.samples = iter([*_samples(RELATIONS), *_samples(RELATIONS[::-1])])
    batches = [{name: part for name, part in batch.items() if isinstance(part, torch.Tensor)} for batch in data]
    optimizer = torch.optim.AdamW(reader.parameters(), lr=3e-3)
    for _ in range(150):
        for batch in batches:
            loss = reader(**batch)["loss"]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    reader.relik_reader_model.config.training = False
    reader._tokenizer = data.tokenizer
    reader.save_pretrained(folder, model_name="reader")
    _write_index(folder / "index")
    import_module("omegaconf").OmegaConf.save(_config(folder), folder / "config.yaml")
    return folder


def write_word_finder(folder: Path) -> Path:
    """A folder of packages with `en_core_web_sm`, which finds words alone, as ReLiK uses it."""
    package, about = folder / "en_core_web_sm", folder / "en_core_web_sm-1.0.dist-info"
    package.mkdir(parents=True)
    about.mkdir()
    (package / "__init__.py").write_text(
        "import spacy\n\n\ndef load(**_):\n    return spacy.blank('en')\n", encoding="utf-8"
    )
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: en_core_web_sm\nVersion: 1.0\n", encoding="utf-8")
    return folder


def _config(folder: Path) -> dict[str, Any]:
    retriever, index = "relik.retriever.pytorch_modules.model", "relik.retriever.indexers.inmemory"
    return {
        "_target_": "relik.inference.annotator.Relik",
        "task": "triplet",
        "retriever": {
            "triplet": {"_target_": f"{retriever}.GoldenRetriever", "question_encoder": str(folder / "encoder")}
        },
        "index": {
            "triplet": {
                "_target_": f"{index}.InMemoryDocumentIndex.from_pretrained",
                "name_or_path": str(folder / "index"),
            }
        },
        "reader": {
            "_target_": "relik.reader.pytorch_modules.triplet.RelikReaderForTripletExtraction",
            "transformer_model": str(folder / "reader"),
        },
        "metadata_fields": [],
        "top_k": len(RELATIONS),
        "window_size": 32,
        "window_stride": 16,
    }


def _write_encoder(folder: Path) -> Path:
    encoders, transformers = import_module("relik.retriever.pytorch_modules.hf"), import_module("transformers")
    folder.mkdir(parents=True)
    vocabulary = (*MARKS, *WORDS)
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizerFast(
        vocab_file=str(folder / "vocab.txt"), do_lower_case=False, model_max_length=1024
    ).save_pretrained(folder)
    config = encoders.GoldenRetrieverConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=1024,
    )
    encoders.GoldenRetrieverModel(config).save_pretrained(folder)
    return folder


def _write_index(folder: Path) -> None:
    torch, documents = import_module("torch"), import_module("relik.retriever.indexers.document")
    import_module("relik.retriever.indexers.inmemory").InMemoryDocumentIndex(
        documents=documents.DocumentStore([documents.Document(name, number) for number, name in enumerate(RELATIONS)]),
        embeddings=torch.rand(len(RELATIONS), 32),
    ).save_pretrained(folder)


def _samples(candidates: Sequence[str]) -> Iterator[Any]:
    words = import_module("relik.inference.data.tokenizers.spacy_tokenizer").SpacyTokenizer()
    manager = import_module("relik.inference.data.window.manager").WindowManager(words)
    for times in (1, 6):
        windows, *_ = manager.create_windows([" ".join([sentence] * times) for sentence in SENTENCES])
        starts = [5 * number for number in range(times)]
        for window in windows:
            window.triplet_candidates = list(candidates)
            window.window_labels_tokens = [
                [start + first, start + end, ""] for start in starts for first, end in ((0, 2), (3, 4))
            ]
            window.window_triplet_labels_tokens = [
                {"subject": [start, start + 2, ""], "relation": RELATIONS[0], "object": [start + 3, start + 4, ""]}
                for start in starts
            ]
            yield window
