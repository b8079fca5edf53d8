import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Problem } from '#kernel/problem'
import { contentDisposition, isStoredName, newStoredName, safeFileName, uploadPath } from '#storage/names'

const NOW = 1_772_357_400_000_000

test.each([
  ['scan.PDF', '.pdf'],
  ['archive.tar.gz', '.gz'],
  ['no extension', ''],
  ['.htaccess', ''],
  ['../.bashrc', ''],
  ['trailing.', ''],
  ['a.verylongextension', ''],
  ['a.p f', ''],
  ['a.pdf/../../x', ''],
  ['a.p\u0000df', ''],
  ['Bericht.docx', '.docx'],
  ['', ''],
])('the stored name of %p ends in %p', (original, extension) => {
  const name = newStoredName(original, NOW)
  expect(name).toMatch(/^[0-9a-f]{24}-[0-9a-f]{32}/)
  expect(name.slice(57)).toBe(extension)
})

test('stored names always have their form, are never paths, and never repeat', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (original) => {
      const [one, two] = [newStoredName(original, NOW), newStoredName(original, NOW)]
      expect(isStoredName(one)).toBe(true)
      expect(one.slice(25)).not.toBe(two.slice(25))
      expect(uploadPath('/data', one)).toBe(`/data/${one.slice(25, 27)}/${one}`)
    }),
  )
})

test.each([
  '',
  '..',
  '../secrets',
  `${newStoredName('a.pdf', NOW)}/..`,
  newStoredName('a', NOW).toUpperCase(),
  `${newStoredName('a', NOW)}\n`,
])('there is no path for %p', (name) => {
  expect(() => uploadPath('/data', name)).toThrow(Problem)
})

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\temp\\a.txt', 'C__temp_a.txt'],
  ['a\r\nSet-Cookie: x', 'a__Set-Cookie_ x'],
  ['photo\u202egpj.exe', 'photo_gpj.exe'],
  ['..', 'file'],
  ['', 'file'],
  ['  .a. ', 'a'],
  [`${'ä'.repeat(200)}.pdf`, `${'ä'.repeat(98)}.pdf`],
  [`${'a'.repeat(200)}.pdf`, `${'a'.repeat(146)}.pdf`],
  ['日'.repeat(100), '日'.repeat(66)],
  [`${'😀'.repeat(100)}.pdf`, `${'😀'.repeat(49)}.pdf`],
  ['CON', '_CON'],
  ['aux.v1', '_aux.v1'],
  ['Lpt1 .pdf', '_Lpt1 .pdf'],
  [`${'a'.repeat(149)} b`, 'a'.repeat(149)],
  ['Console', 'Console'],
])('the name %p is offered as %p', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})

test.each([
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['Größe.pdf', `attachment; filename="Große.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`.replace('Große', 'Gro_e')],
  ['研究.pdf', `attachment; filename="__.pdf"; filename*=UTF-8''%E7%A0%94%E7%A9%B6.pdf`],
  ["it's (1)*100%.pdf", `attachment; filename="it's (1)_100_.pdf"; filename*=UTF-8''it%27s%20%281%29_100%25.pdf`],
])('the header for %p is %p', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header)
})

test('any name gives one header with the safe name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const header = contentDisposition('inline', name)
      const parts = /^inline; filename="([^"\\%]*)"(?:; filename\*=UTF-8''([\w.!#$&+^`|~%-]*))?$/.exec(header)
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      expect(parts).not.toBeNull()
      expect(parts![2] === undefined ? parts![1] : decodeURIComponent(parts![2])).toBe(safeFileName(name))
    }),
  )
})
