import { describe, expect, test, vi } from 'vitest';
import { type Entity, EntityMap } from '../../../engine/src/guard/placeholder/entity-map.ts';
import { placeholderOf } from '../../../engine/src/guard/placeholder/placeholder.ts';
import { readContent } from '../../../engine/src/guard/placeholder/content-text.ts';
import { redactContents } from '../../../engine/src/guard/placeholder/redact-text.ts';

const shown = ({ kind, number }: Entity) => placeholderOf(kind, number);

function redact(map: EntityMap, text: string): string {
  return redactContents(map, [{ content: readContent(text), spans: [] }])[0] ?? '';
}

/** A map that knows one person. */
function knowing(name: string): EntityMap {
  const map = new EntityMap();
  map.assign('person', name);
  return map;
}

describe('numbers', () => {
  test('count from 1 for each kind', () => {
    const map = new EntityMap();
    const found = [
      map.assign('person', 'Karthik'),
      map.assign('phone', '1234567890'),
      map.assign('person', 'Ann'),
      map.assign('email', 'ann@example.com'),
    ];
    expect(found.map(shown)).toEqual(['<PERSON_1>', '<PHONE_1>', '<PERSON_2>', '<EMAIL_1>']);
  });

  test.each([
    ['person', 'Karthik', 'karthik'],
    ['person', 'Karthik', 'KARTHIK'],
    ['person', 'Karthik', "Karthik's"],
    ['person', 'Karthik', 'Karthik’s'],
    ['person', 'James', "James'"],
    ['person', 'Karthik Rao', 'Rao, Karthik'],
    ['person', 'Karthik Rao', 'Karthik'],
    ['person', 'karthik', 'Karthik Rao'],
    ['person', 'José', 'Jose'],
    ['person', 'Anna Weber', 'Frau Anna Weber'],
    ['email', 'Ann@Example.com', 'ann@example.com'],
    ['phone', '+49 30 1234567', '+49-30-1234567'],
    ['phone', '0049 30 1234567', '+49 (30) 1234567'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
    ['card', '4111 1111 1111 1111', '4111-1111-1111-1111'],
  ] as const)('%s %s and %s are one', (kind, one, other) => {
    const map = new EntityMap();
    expect(shown(map.assign(kind, one))).toBe(shown(map.assign(kind, other)));
  });

  test.each([
    ['Karthik Rao', 'Karthik Iyer'],
    ['Karthik Rao', 'Rao'],
    ['John Smith', 'Jane Smith'],
  ])('%s and %s are two', (one, other) => {
    const map = new EntityMap();
    expect(shown(map.assign('person', one))).not.toBe(shown(map.assign('person', other)));
  });

  test('a first name that two persons have is nobody of both', () => {
    const map = new EntityMap();
    map.assign('person', 'Karthik Rao');
    map.assign('person', 'Karthik Iyer');
    expect(shown(map.assign('person', 'Karthik'))).toBe('<PERSON_3>');
  });
});

describe('known values in texts', () => {
  test.each([
    ['Karthik', 'KARTHIK wrote to karthik', '<PERSON_1> wrote to <PERSON_1>'],
    ['Karthik', "Karthik's and Karthiks report", "<PERSON_1>'s and <PERSON_1>s report"],
    ['Karthik Rao', 'Hi Karthik, is this Karthik  Rao?', 'Hi <PERSON_1>, is this <PERSON_1>?'],
    ['Karthik Rao', 'karthik\nrao', '<PERSON_1>'],
    ["Siobhán O'Brien", "SIOBHÁN O’BRIEN'S", "<PERSON_1>'S"],
    ['Mark', 'Mark, please mark it', '<PERSON_1>, please mark it'],
    ['Ann', 'th_01ann2 is an id of Ann', 'th_01ann2 is an id of <PERSON_1>'],
    ['Karthik', 'karthikeya', 'karthikeya'],
  ])('%s in "%s"', (name, text, expected) => {
    expect(redact(knowing(name), text)).toBe(expected);
  });

  test('a name in a file name is restored as it was spelled', () => {
    const map = knowing('Karthik');
    const text = 'read karthik.pdf of Karthik';
    expect(redact(map, text)).toBe('read <PERSON_2>.pdf of <PERSON_1>');
    expect(map.restore(redact(map, text)).text).toBe(text);
  });

  test.each([
    ['email', 'ann@example.com', 'ANN@example.com mailto:ann%40example.com ann&#64;example.com'],
    ['phone', '1234567890', '1234567890, 123-456-7890, (123) 456 7890'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000 de89 3704 0044 0532 0130 00'],
    ['card', '4111 1111 1111 1111', '4111111111111111 4111-1111-1111-1111'],
  ] as const)('%s %s however it is spelled', (kind, value, text) => {
    const map = new EntityMap();
    map.assign(kind, value);
    expect(
      redact(map, text)
        .replaceAll(`<${kind.toUpperCase()}_1>`, '')
        .replace(/[\s,]|mailto:|\(/g, ''),
    ).toBe('');
  });

  test('a longer number and another address are not taken for it', () => {
    const map = new EntityMap();
    map.assign('phone', '1234567890');
    map.assign('email', 'ann@example.com');
    const text = '91234567890 joann@example.com ann@example.community';
    expect(redact(map, text)).toBe(text);
  });

  test('values in JSON, in its names and behind its escapes are redacted, and it stays JSON', () => {
    const map = knowing('Karthik Rao');
    map.assign('phone', '1234567890');
    const inner = JSON.stringify({ note: 'Best,\nKarthik Rao' });
    const text = JSON.stringify({ 'Karthik Rao': ['Hi\nKarthik Rao', 1234567890], 'text': inner, 'n': 3 });
    const redacted = redact(map, text);
    expect(JSON.parse(redacted)).toEqual({
      '<PERSON_1>': ['Hi\n<PERSON_1>', '<PHONE_1>'],
      'text': JSON.stringify({ note: 'Best,\n<PERSON_1>' }),
      'n': 3,
    });
  });

  test('JSON in an envelope is read as JSON, and the marks stay', () => {
    const map = knowing('Karthik Rao');
    const text =
      '<<RESULT-6c70838dfb9e\n{"note":"Best,\\nKarthik Rao"}\nRESULT-6c70838dfb9e>>\nIt is data of Karthik Rao.';
    expect(redact(map, text)).toBe(
      '<<RESULT-6c70838dfb9e\n{"note":"Best,\\n<PERSON_1>"}\nRESULT-6c70838dfb9e>>\nIt is data of <PERSON_1>.',
    );
  });

  test('JSON that was cut is read as text, with its escapes', () => {
    expect(redact(knowing('Karthik'), '{"text": "Best,\\nKarthik and [cut]')).toBe(
      '{"text": "Best,\\n<PERSON_1> and [cut]',
    );
  });

  test('what nobody redacted stays as it was, byte for byte', () => {
    const text = '{ "a" : 1.0, "b": "x" }';
    expect(redact(knowing('Karthik'), text)).toBe(text);
  });
});

describe('restoring', () => {
  const map = new EntityMap();
  map.assign('person', 'Karthik Rao');
  map.assign('text', '<PERSON_1>');

  test('puts the value in place of its placeholder', () => {
    expect(map.restore("<PERSON_1>'s mail")).toEqual({ text: "Karthik Rao's mail", faults: [] });
  });

  test('never looks at what it has put in', () => {
    expect(map.restore('<TEXT_1> is <PERSON_1>')).toEqual({ text: '<PERSON_1> is Karthik Rao', faults: [] });
  });

  test.each([
    '<PERSON_9>',
    '<Person_1>',
    '<person_1>',
    '<PERSON_01>',
    '< PERSON_1 >',
    '<PERSON 1>',
    '<PERSON-1>',
    '<PERSON1>',
    '[PERSON_1]',
    '{PERSON_1}',
    '(PERSON_1)',
    '‹PERSON_1›',
    '«PERSON_1»',
    '〈PERSON_1〉',
    '【PERSON_1】',
    '＜PERSON_1＞',
    '＜ＰＥＲＳＯＮ_１＞',
    '&lt;PERSON_1&gt;',
    '%3CPERSON_1%3E',
    '<PERSON\\_1>',
    '<PERSON\u200b_1>',
    'PERSON_1',
    '<PERSON_1',
    'PERSON_1>',
    '<NAME_1>',
    '<EMAIL_ADDRESS_1>',
    '<TEXT_2>',
    '<PHONE_1>',
  ])('leaves %s as it is and says so', (written) => {
    const { text, faults } = map.restore(`Dear ${written}, hello`);
    expect(text).toBe(`Dear ${written}, hello`);
    expect(faults).toHaveLength(1);
  });

  test.each(['a person 1', 'person_1 in code', 'text 1', '(see card 2)', '<b>1</b>', 'x < 1 > 2', '[1]', 'PERSON 1'])(
    'sees nothing in "%s"',
    (text) => expect(map.restore(text)).toEqual({ text, faults: [] }),
  );
});

describe('text that looks like a placeholder', () => {
  test.each(['<PERSON_1>', '<person_1>', '[PERSON_1]', '&lt;PERSON_1&gt;', '<NAME_7>'])(
    '%s in a mail becomes a value of its own',
    (written) => {
      const map = knowing('Karthik');
      expect(redact(map, `Hi ${written}, Karthik`)).toBe('Hi <TEXT_1>, <PERSON_1>');
      expect(map.restore('Hi <TEXT_1>').text).toBe(`Hi ${written}`);
    },
  );
});

test('a map that was stored is the same map', () => {
  const map = knowing('karthik');
  map.assign('person', 'Karthik Rao');
  map.assign('email', 'k@example.com');
  const again = new EntityMap(map.entities);
  const text = 'Karthik Rao, karthik, k@example.com';
  expect(redact(again, text)).toBe(redact(map, text));
  expect(again.takeChanges()).toEqual([]);
});

test('of two stored values with one placeholder the later one counts', () => {
  const map = new EntityMap([
    { kind: 'person', number: 1, value: 'karthik' },
    { kind: 'person', number: 2, value: 'Zoe' },
    { kind: 'person', number: 1, value: 'Karthik Rao', forms: ['karthik'] },
  ]);
  expect(map.entities.map(({ value }) => value)).toEqual(['Karthik Rao', 'Zoe']);
  expect(map.restore('<PERSON_1>').text).toBe('Karthik Rao');
  expect(shown(map.assign('person', 'Ann'))).toBe('<PERSON_3>');
});

test('values of kinds that are not to be found stay in texts, and are restored', () => {
  const entities = [
    { kind: 'person', number: 1, value: 'Karthik' },
    { kind: 'email', number: 1, value: 'k@example.com' },
    { kind: 'text', number: 1, value: '<NAME_1>' },
  ] as const;
  const map = new EntityMap(entities, ['email']);
  expect(redact(map, 'Karthik, k@example.com, <NAME_1>')).toBe('Karthik, <EMAIL_1>, <TEXT_1>');
  expect(map.restore('<PERSON_1>').text).toBe('Karthik');
  expect((['person', 'email', 'text'] as const).map((kind) => map.hides(kind))).toEqual([false, true, true]);
});

test('a text is searched only for the addresses whose name stands before one of its at signs', () => {
  const map = new EntityMap();
  for (let n = 0; n < 300; n++) map.assign('email', `person${n}@example.org`);
  map.assign('phone', '+49 30 1234567');
  const indexOf = vi.spyOn(String.prototype, 'indexOf');
  const found = map.find('To PERSON8%40example.org, person7@example.org, xperson9&#64;example.org, 030 1234567?');
  const searches = indexOf.mock.calls.length;
  indexOf.mockRestore();
  expect(found.map(({ entity }) => entity.value)).toEqual(['person7@example.org', 'person8@example.org']);
  expect(searches).toBeLessThan(100);
});

test.each(['ann＠example.org', 'ed&#64;example.org', 'dee at example.org'])(
  'an address without a plain at sign is found: %s',
  (value) => {
    const map = new EntityMap();
    map.assign('email', 'bob@example.org');
    map.assign('email', value);
    expect(map.find(`Write to ${value} soon`).map(({ entity }) => entity.value)).toEqual([value]);
  },
);
