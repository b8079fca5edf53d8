import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sheetNamer } from '#writers/sheetname'

test.each<[string[], string[]]>([
  [['Visit'], ['Visit']],
  [
    ['Visit', 'VISIT', 'visit'],
    ['Visit', 'VISIT (2)', 'visit (3)'],
  ],
  [['a/b\\c[d]e*f?g:h'], ['a_b_c_d_e_f_g_h']],
  [
    ['', '  ', "''"],
    ['Sheet', 'Sheet (2)', 'Sheet (3)'],
  ],
  [
    ['history', 'History'],
    ['history_', 'History_ (2)'],
  ],
  [["'Quoted'"], ['Quoted']],
  [["It's"], ["It's"]],
  [['tab\there'], ['tab_here']],
  [
    ['x'.repeat(40), 'x'.repeat(40)],
    ['x'.repeat(31), `${'x'.repeat(27)} (2)`],
  ],
  [['😀'.repeat(20)], ['😀'.repeat(15)]],
  [
    ['A (2)', 'A', 'A'],
    ['A (2)', 'A', 'A (3)'],
  ],
  [
    ['ＡＢ', 'AB'],
    ['ＡＢ', 'AB (2)'],
  ],
  [['half \ud83d'], ['half _']],
])('%p become %p', (wanted, names) => {
  expect(wanted.map(sheetNamer())).toEqual(names)
})

test('property: Excel accepts every name, and they differ in more than case', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', 'A', "'", '/', ' ', '(2)', '😀'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const wanted = fc.array(
    fc.array(unit, { maxLength: 20 }).map((units) => units.join('')),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(wanted, (wanted) => {
      const names = wanted.map(sheetNamer())
      for (const name of names) {
        expect(name.length).toBeWithin(1, 32)
        expect(name).not.toMatch(/[[\]:*?/\\]|^'|'$|^history$/i)
        expect(name.isWellFormed()).toBe(true)
      }
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    }),
  )
}, 180_000)
