/** The small writer of XML. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { isBeyondXml, xmlElement, xmlEscaped } from '#writers/xml'
import { hasPython, inFolder, python } from './folder'

const unit = fc.constantFrom(
  'a',
  'é',
  '😀',
  '\ud83d',
  '&',
  '<',
  '>',
  '"',
  "'",
  '\n',
  '\r',
  '\t',
  '\0',
  '\u001f',
  '\uffff',
  ' ',
  ']]>',
)

test.skipIf(!hasPython('xml'))('a parser reads every text as it was written, but for what XML cannot hold', () => {
  const texts = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 300, seed: 3 })
  const xml = xmlElement(
    'all',
    {},
    ...texts.map((text) => xmlElement('t', { a: text, b: undefined }, xmlEscaped(text))),
  )
  const read = inFolder((folder) => {
    const path = join(folder, 'a.xml')
    writeFileSync(path, xml)
    const program =
      'import sys, json, xml.etree.ElementTree as t; print(json.dumps([[e.text or "", e.attrib["a"]] for e in t.parse(sys.argv[1]).getroot()]))'
    const { ok, out, error } = python(program, path)
    if (!ok) throw new Error(error)
    return JSON.parse(out)
  })
  const expected = texts.map((text) =>
    ['\0', '\u001f', '\uffff'].reduce((kept, each) => kept.replaceAll(each, '\ufffd'), text.toWellFormed()),
  )
  expect(read).toEqual(expected.map((text) => [text, text]))
  for (const [at, text] of texts.entries()) expect(isBeyondXml(text)).toBe(text !== expected[at])
})
