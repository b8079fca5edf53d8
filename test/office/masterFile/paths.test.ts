/** Paths in a zip are safe on every system, whatever files and sites are called. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { extensionOf, safePart, uniqueParts, versionPart } from '#office/masterFile/paths'
import { runs } from '../../proof'

test.each([
  ['Protocol', 'Protocol'],
  ['../../etc/passwd', '___etc_passwd'],
  ['a...b', 'a_b'],
  ['a/b\\c:d', 'a_b_c_d'],
  ['CON', '_CON'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['com1', '_com1'],
  ['COM¹', '_COM¹'],
  ['Console', 'Console'],
  ['name.', 'name'],
  ['name . .', 'name'],
  ['...', 'file'],
  ['  ', 'file'],
  ['E\u0301tude', 'Étude'],
  ['a\u0000b\u001fc\u007f', 'a_b_c_'],
  ['gpj\u202eexe', 'gpj_exe'],
  ['half \ud83d', 'half \ufffd'],
  ['line\nbreak', 'line_break'],
  ['문서', '문서'],
  ['x'.repeat(200), 'x'.repeat(120)],
  ['é'.repeat(100), 'é'.repeat(60)],
])('%j becomes %j', (name, part) => {
  expect(safePart(name)).toBe(part)
})

test('a name is given once, whatever the case and the composition', () => {
  const unique = uniqueParts()
  expect(
    ['CV', 'cv', 'CV', 'É', 'é', 'E\u0301', 'ﬁle', 'file', 'Straße', 'STRASSE'].map((name) => unique(name)),
  ).toEqual([...['CV', 'cv (2)', 'CV (3)', 'É', 'é (2)', 'E\u0301 (3)', 'ﬁle', 'file (2)', 'Straße', 'STRASSE (2)']])
  const other = uniqueParts()
  expect([other('CV', '.pdf'), other('CV', '.docx'), other('cv', '.PDF')]).toEqual(['CV.pdf', 'CV.docx', 'cv (2).PDF'])
})

test('a version has the name of its file, its number and the extension of what was uploaded', () => {
  expect(extensionOf('Scan 1.PDF')).toBe('.pdf')
  expect(extensionOf('README')).toBe('')
  expect(extensionOf('a.\u0430\u0431')).toBe('')
  expect(versionPart('Protocol', 2, '.pdf')).toBe('Protocol v2')
  expect(versionPart('Protocol.PDF', 2, '.pdf')).toBe('Protocol v2')
  expect(versionPart('aux', 1, '')).toBe('_aux v1')
})

test('any names give parts that no system refuses, takes apart or changes (property)', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc.string({ unit: 'grapheme', maxLength: 150 }),
    fc.constantFrom('CON', 'aux.', '..', 'LPT9 .x', ' ', '\u0345', 'ΐ'),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (names) => {
      const unique = uniqueParts()
      const parts = names.map((name) => unique(versionPart(name, 1, '.pdf'), '.pdf'))
      for (const part of parts) {
        expect(part).toBe(part.normalize('NFC').toWellFormed())
        expect(part).not.toMatch(/[/\\:*?"<>|\p{Cc}]|^[. ]|[. ]$|^\.\.?$/u)
        expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
      }
      expect(new Set(parts.map((part) => part.toLowerCase())).size).toBe(parts.length)
    }),
    { numRuns: runs(500) },
  )
})
