"""Models small enough to be made by the tests that use them: spaCy pipelines, models in ONNX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("Elon", "Musk", "Tesla", "Anna", "Berg", "Rivian")
TREES = (
    (
        "Elon Musk founded Tesla .",
        ("NNP", "NNP", "VBD", "NNP", "."),
        (1, 2, 2, 2, 2),
        ("compound", "nsubj", "ROOT", "dobj", "punct"),
    ),
    (
        "Anna Berg founded Rivian in Vienna .",
        ("NNP", "NNP", "VBD", "NNP", "IN", "NNP", "."),
        (1, 2, 2, 2, 2, 4, 2),
        ("compound", "nsubj", "ROOT", "dobj", "prep", "pobj", "punct"),
    ),
)


def write_parsing_pipeline(folder: Path) -> Path:
    """A spaCy pipeline whose tagger and parser were trained on two sentences until they knew them."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser", config={"min_action_freq": 1})

    def examples() -> list[Any]:
        found = []
        for text, tags, heads, relations in TREES:
            words = text.split()
            spaces = [index < len(words) - 2 for index in range(len(words))]
            gold = Doc(nlp.vocab, words, spaces, tags=list(tags), heads=list(heads), deps=list(relations))
            found.append(Example(nlp.make_doc(gold.text), gold))
        return found

    nlp.initialize(examples)
    for _ in range(40):
        nlp.update(examples())
    nlp.to_disk(folder)
    return folder


def write_naming_pipeline(folder: Path) -> Path:
    """A spaCy pipeline that knows a few names by heart, and no grammar."""
    import spacy

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    persons, firms = ("Elon Musk", "Anna Berg"), ("Tesla", "Rivian")
    ruler.add_patterns([{"label": "PERSON", "pattern": name} for name in persons])
    ruler.add_patterns([{"label": "ORG", "pattern": name} for name in firms])
    nlp.to_disk(folder)
    return folder


def write_gliner(folder: Path) -> Path:
    """A GLiNER model over spans: a span is a person if all of its words are known names, the longer the surer."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    folder.mkdir(parents=True)
    vocabulary = {word: number for number, word in enumerate(("[UNK]", "<<ENT>>", "<<SEP>>", *NAMES))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    widest, kinds = 4, 8
    config = {
        "max_width": widest,
        "max_len": 384,
        "span_mode": "markerV0",
        "ent_token": "<<ENT>>",
        "sep_token": "<<SEP>>",
    }
    (folder / "gliner_config.json").write_text(json.dumps(config), encoding="utf-8")

    scores = np.array([[5.0 if word in NAMES else -5.0] for word in vocabulary], np.float32)
    is_person = np.array([1.0] + [0.0] * (kinds - 1), np.float32)
    constants = {
        "scores": scores,
        "none": np.array(0, np.int64),
        "one": np.array(1, np.int64),
        "first_axis": np.array([0], np.int64),
        "last_axis": np.array([-1], np.int64),
        "column": np.array([-1, 1], np.int64),
        "flat": np.array([-1], np.int64),
        "shape_end": np.array([widest, 1], np.int64),
        "shape_begin": np.array([1], np.int64),
        "starts": np.array(0, np.int64),
        "ends": np.array(1, np.int64),
        "high": np.array(9.0, np.float32),
        "longer": np.array(0.1, np.float32),
        "is_person": is_person,
        "others": (1 - is_person) * np.float32(-10),
    }
    node = helper.make_node
    nodes = [
        node("Gather", ["scores", "input_ids"], ["token_scores"]),
        node("Squeeze", ["token_scores", "first_axis"], ["token_column"]),
        node("Reshape", ["text_lengths", "flat"], ["length"]),
        node("Squeeze", ["length", "first_axis"], ["length_number"]),
        node("Range", ["none", "length_number", "one"], ["places"]),
        node("Add", ["places", "one"], ["numbers"]),
        node("Reshape", ["numbers", "column"], ["number_column"]),
        node("Equal", ["number_column", "words_mask"], ["is_of_word"]),
        node("Cast", ["is_of_word"], ["of_word"], to=TensorProto.FLOAT),
        node("MatMul", ["of_word", "token_column"], ["word_column"]),
        node("Reshape", ["word_column", "flat"], ["word_scores"]),
        node("Gather", ["span_idx", "starts"], ["span_starts"], axis=2),
        node("Gather", ["span_idx", "ends"], ["span_ends"], axis=2),
        node("Reshape", ["span_starts", "column"], ["start_column"]),
        node("Reshape", ["span_ends", "column"], ["end_column"]),
        node("GreaterOrEqual", ["places", "start_column"], ["behind"]),
        node("LessOrEqual", ["places", "end_column"], ["before"]),
        node("And", ["behind", "before"], ["inside"]),
        node("Where", ["inside", "word_scores", "high"], ["inner"]),
        node("ReduceMin", ["inner", "last_axis"], ["least"], keepdims=1),
        node("Sub", ["end_column", "start_column"], ["widths"]),
        node("Cast", ["widths"], ["width_numbers"], to=TensorProto.FLOAT),
        node("Mul", ["width_numbers", "longer"], ["bonus"]),
        node("Add", ["least", "bonus"], ["span_scores"]),
        node("Concat", ["shape_begin", "length", "shape_end"], ["shape"], axis=0),
        node("Reshape", ["span_scores", "shape"], ["spans"]),
        node("Mul", ["spans", "is_person"], ["persons"]),
        node("Add", ["persons", "others"], ["all_kinds"]),
        node("Cast", ["attention_mask"], ["attended"], to=TensorProto.FLOAT),
        node("Cast", ["span_mask"], ["masked"], to=TensorProto.FLOAT),
        node("ReduceSum", ["attended"], ["attended_sum"], keepdims=0),
        node("ReduceSum", ["masked"], ["masked_sum"], keepdims=0),
        node("Mul", ["attended_sum", "masked_sum"], ["used"]),
        node("Sub", ["used", "used"], ["nothing"]),
        node("Add", ["all_kinds", "nothing"], ["logits"]),
    ]
    kind, boolean = TensorProto.INT64, TensorProto.BOOL
    inputs = [
        helper.make_tensor_value_info("input_ids", kind, [1, "tokens"]),
        helper.make_tensor_value_info("attention_mask", kind, [1, "tokens"]),
        helper.make_tensor_value_info("words_mask", kind, [1, "tokens"]),
        helper.make_tensor_value_info("text_lengths", kind, [1, 1]),
        helper.make_tensor_value_info("span_idx", kind, [1, "spans", 2]),
        helper.make_tensor_value_info("span_mask", boolean, [1, "spans"]),
    ]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, "words", widest, kinds])]
    weights = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "gliner", inputs, outputs, weights)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx"
    )
    return folder


def write_cross_encoder(folder: Path, logits: int, window: int = 512) -> Path:
    """A cross-encoder of so many logits: its last one counts the word `snow` in a pair, any other is 0."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    words = write_pair_tokenizer(folder, ["snow"])
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": window}), encoding="utf-8")
    counted = np.zeros((words, logits), np.float32)
    counted[3, -1] = 1.0
    constants = {"counted": counted, "tokens": np.array([1], np.int64)}
    nodes = [
        helper.make_node("Gather", ["counted", "input_ids"], ["words"]),
        helper.make_node("ReduceSum", ["words", "tokens"], ["logits"], keepdims=0),
    ]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, logits])]
    weights = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "cross-encoder", inputs, outputs, weights)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx"
    )
    return folder


def write_pair_tokenizer(folder: Path, words: Sequence[str]) -> int:
    """A tokenizer that knows these words; how many it knows with those that every one has."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {word: number for number, word in enumerate(("[UNK]", "[CLS]", "[SEP]", *words))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.post_processor = TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return len(vocabulary)
