import { expect, test } from 'vitest';
import { checkPath } from '../../engine/src/file/path-text.ts';

const root = { name: 'virtualRoot', folder: '/home/jane/documents' };

test.each([
  ['a plain path', 'notes/a.md', 'notes/a.md'],
  ['the root', '.', ''],
  ['an empty path', '', ''],
  ['dots and doubled slashes inside', './notes//./a.md', 'notes/a.md'],
  ['the absolute path of the root', '/home/jane/documents', ''],
  ['an absolute path below the root', '/home/jane/documents/notes/a.md', 'notes/a.md'],
  ['a name with a colon', 'Re: hello.md', 'Re: hello.md'],
  ['a name with an ellipsis', '…and more.txt', '…and more.txt'],
  ['an emoji with joiners', '👩‍💻.md', '👩‍💻.md'],
  ['dots inside a name', 'a..b.md', 'a..b.md'],
  ['a name that Windows reserves, elsewhere', 'con.md', 'con.md'],
])('%s is accepted', (_name, text, path) => {
  expect(checkPath(text, root, {}, false)).toBe(path);
});

test.each([
  ['the parent', '..'],
  ['a path through the parent', 'notes/../../secret'],
  ['a path through the parent that stays inside', 'notes/../a.md'],
  ['dots and spaces', 'notes/. ./a.md'],
  ['three dots', '...'],
  ['an absolute path outside', '/etc/passwd'],
  ['a sibling with the same beginning', '/home/jane/documents-secret/a.md'],
  ['the parent behind the root', '/home/jane/documents/../a.md'],
  ['another machine', '//server/share'],
  ['another machine on Windows', '\\\\server\\share\\a.md'],
  ['a device path of Windows', '\\\\?\\C:\\a.md'],
  ['a drive of Windows', 'C:\\Windows\\win.ini'],
  ['a drive with slashes', 'c:/Windows/win.ini'],
  ['a drive without a slash', 'C:a.md'],
  ['a backslash', 'notes\\a.md'],
  ['NUL', 'a.md\0.png'],
  ['a line break', 'a\n.md'],
  ['a change of direction', 'a\u202Edm.exe'],
  ['a zero-width space', 'no\u200btes/a.md'],
  ['half of a character', 'a\ud800.md'],
  ['a file address', 'file:///etc/passwd'],
  ['a short file address', 'FILE:/etc/passwd'],
  ['a web address', 'https://example.org/a.md'],
  ['a data address', 'data:text/plain,hello'],
  ['an encoded parent', '%2e%2e/secret'],
  ['an encoded slash', '..%2Fsecret'],
  ['an encoded NUL', 'a.md%00.png'],
  ['fullwidth dots', '\uff0e\uff0e/secret'],
  ['one-dot leaders', '\u2024\u2024/secret'],
  ['a two-dot leader', '\u2025/secret'],
  ['small full stops', '\ufe52\ufe52'],
  ['an ellipsis alone', '…/secret'],
  ['a fullwidth slash', 'notes\uff0fa.md'],
  ['a division slash', 'notes\u2215a.md'],
  ['a fraction slash', '..\u2044secret'],
  ['a fullwidth backslash', 'notes\uff3ca.md'],
  ['a fullwidth colon of a drive', 'C\uff1a'],
  ['a name that is too long', 'a'.repeat(256)],
  ['a path that is too long', 'a/'.repeat(2100)],
])('%s is refused', (_name, text) => {
  expect(() => checkPath(text, root, {}, false)).toThrow(expect.objectContaining({ code: 'FILE_DENIED' }));
});

test.each([
  ['a device', 'notes/con'],
  ['a device with an ending', 'nul.txt'],
  ['a stream of a file', 'a.md:secret'],
  ['a dot at the end', 'secret./a.md'],
  ['a space at the end', 'a.md '],
])('on Windows %s is refused', (_name, text) => {
  expect(() => checkPath(text, root, {}, true)).toThrow(expect.objectContaining({ code: 'FILE_DENIED' }));
});

test('a leading slash stands for the root itself where the caller says so', () => {
  expect(checkPath('/notes/a.md', root, { absolute: 'root' })).toBe('notes/a.md');
  expect(checkPath('/', root, { absolute: 'root' })).toBe('');
  expect(() => checkPath('//server/share', root, { absolute: 'root' })).toThrow('another machine');
});

test('a refusal names the path, the reason and what to write, and shows hidden characters', () => {
  expect(() => checkPath('a\u202Eb', root)).toThrow(
    expect.objectContaining({
      message: 'the path "a\\u202eb" is refused: it has control or invisible characters',
      hint: 'write a path relative to virtualRoot, such as folder/file.txt',
    }),
  );
});
