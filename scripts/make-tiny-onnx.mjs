// Writes a tiny BERT-like embedding model with random weights, in the layout @huggingface/transformers loads: one vector
// for each token, 32 numbers. It means nothing; it is there so that the code that loads and runs models can be tested.
//   node scripts/make-tiny-onnx.mjs FOLDER [mean|sentence]
// `sentence` adds the output `sentence_embedding`, as models have it that pool by themselves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = 32;
const TOKENS_MAX = 64;
const FLOAT = 1;
const INT64 = 7;

const [folder, kind = 'mean'] = process.argv.slice(2);
if (folder === undefined || !['mean', 'sentence'].includes(kind)) {
  console.error('usage: node scripts/make-tiny-onnx.mjs FOLDER [mean|sentence]');
  process.exit(2);
}

const characters = [...'abcdefghijklmnopqrstuvwxyz0123456789.,:;-_/()'];
const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...characters, ...characters.map((one) => `##${one}`)];

/** Seeded: the same folder is written every time. */
function randomFloats(count) {
  let state = 0x2545f491;
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 31 - 1;
  });
}

// Protocol buffers: a field is its number and wire type, then a varint or a length and bytes.
function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Buffer.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value, 'utf8'));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

// Messages of onnx.proto by their field numbers.
const dimension = (value) => message(1, typeof value === 'number' ? number(1, value) : text(2, value));
const valueInfo = (field, name, type, shape) =>
  message(field, text(1, name), message(2, message(1, number(1, type), message(2, ...shape.map(dimension)))));
const tensor = (name, shape, values) =>
  message(
    5,
    ...shape.map((size) => number(1, size)),
    number(2, FLOAT),
    text(8, name),
    bytes(9, Buffer.from(values.buffer)),
  );
const intAttribute = (name, value) => message(5, text(1, name), number(3, value), number(20, 2));
const intsAttribute = (name, values) =>
  message(5, text(1, name), ...values.map((one) => number(8, one)), number(20, 7));
const node = (operator, inputs, outputs, ...attributes) =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operator),
    ...attributes,
  );

const graph = message(
  7,
  node('Gather', ['embeddings', 'input_ids'], ['looked_up'], intAttribute('axis', 0)),
  node('MatMul', ['looked_up', 'weights'], ['mixed']),
  node('Tanh', ['mixed'], ['last_hidden_state']),
  ...(kind === 'sentence'
    ? [
        node(
          'ReduceMean',
          ['last_hidden_state'],
          ['sentence_embedding'],
          intsAttribute('axes', [1]),
          intAttribute('keepdims', 0),
        ),
      ]
    : []),
  text(2, 'tiny'),
  tensor('embeddings', [words.length, SIZE], randomFloats(words.length * SIZE)),
  tensor('weights', [SIZE, SIZE], randomFloats(SIZE * SIZE)),
  valueInfo(11, 'input_ids', INT64, ['batch', 'tokens']),
  valueInfo(11, 'attention_mask', INT64, ['batch', 'tokens']),
  valueInfo(12, 'last_hidden_state', FLOAT, ['batch', 'tokens', SIZE]),
  ...(kind === 'sentence' ? [valueInfo(12, 'sentence_embedding', FLOAT, ['batch', SIZE])] : []),
);
const model = Buffer.concat([number(1, 8), text(2, 'kb'), graph, message(8, text(1, ''), number(2, 13))]);

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

mkdirSync(join(folder, 'onnx'), { recursive: true });
const json = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
json('config.json', {
  architectures: ['BertModel'],
  model_type: 'bert',
  hidden_size: SIZE,
  num_attention_heads: 2,
  num_hidden_layers: 1,
  intermediate_size: SIZE,
  max_position_embeddings: TOKENS_MAX,
  vocab_size: words.length,
  pad_token_id: 0,
});
json('tokenizer.json', tokenizer);
json('tokenizer_config.json', {
  tokenizer_class: 'BertTokenizer',
  model_max_length: TOKENS_MAX,
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  do_lower_case: true,
});
writeFileSync(join(folder, 'onnx', 'model.onnx'), model);
