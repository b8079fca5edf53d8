/** The define.xml of an export in the shape of SDTM (docs/sdtm.md): by its own rules always, by the schema of CDISC where it is there. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { loadQuestionnaires } from '#design/questionnaires/library'
import { isInstrument, questionCodes } from '#exchange/exports/sdtm/instruments'
import { partName, qualifierNames } from '#exchange/exports/sdtm/names'
import { present } from '../../present'
import { runs } from '../../proof'
import { temporaryFolder } from '../../temporary'
import { hasPython, python } from '../../writers/folder'
import { faultsOf, type Node } from './exports.sdtm.grammar'
import { libraryStudy, type Sdtm, sdtmOf } from './exports.sdtm.study'

/** Prints the elements of a define.xml as JSON. */
const READ = `
import sys, json, xml.etree.ElementTree as tree
D = '{http://www.cdisc.org/ns/def/v2.1}'
def plain(e): return {'tag': e.tag.split('}')[1], 'text': e.text, 'own': {k.split('}')[-1]: v for k, v in e.attrib.items()}, 'children': [plain(c) for c in e]}
print(json.dumps(plain(tree.parse(sys.argv[1]).getroot())))
`

function defineOf({ define }: Sdtm): Node {
  const path = join(temporaryFolder(), `${crypto.randomUUID()}.xml`)
  writeFileSync(path, define)
  const { ok, out, error } = python(READ, path)
  if (!ok) throw new Error(error)
  return JSON.parse(out)
}

const all = (node: Node, tag: string): Node[] => [
  ...(node.tag === tag ? [node] : []),
  ...node.children.flatMap((child) => all(child, tag)),
]

/** The variables of a transport file of version 5, read from its bytes. */
function variablesOf(xpt: Buffer): { name: string; label: string; isText: boolean; width: number }[] {
  const at = xpt.indexOf('HEADER RECORD*******NAMESTR')
  const count = Number(xpt.toString('latin1', at + 54, at + 58))
  return Array.from({ length: count }, (_, n) => {
    const start = at + 80 + 140 * n
    const text = (from: number, length: number) => xpt.toString('utf8', start + from, start + from + length).trimEnd()
    return {
      name: text(8, 8),
      label: text(16, 40),
      isText: xpt.readInt16BE(start) === 2,
      width: xpt.readInt16BE(start + 4),
    }
  })
}

async function sample() {
  const s = await libraryStudy('demographics', 'vital-signs', 'phq-9', 'gad-7', 'adverse-event', 'end-of-study')
  const { of, stages, answer, here } = s
  const anna = of.participant('P-1', { sites: [of.site('S<&"1')] })
  await answer(anna, stages.demographics, {
    dm_date: '2025-03-01T00:00:00Z',
    dm_birth: '1980-05-06T00:00:00Z',
    dm_sex: ['Unknown'],
  })
  await answer(anna, stages['vital-signs'], {
    ...{ vs_time: '2025-03-01T08:30:00Z', vs_sysbp: 121, vs_diabp: 80, vs_pulse: 60, vs_temp: 36.6 },
  })
  const points = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n + 1}`, n % 4]))
  await answer(anna, stages['phq-9'], { phq9: points(9) })
  await answer(anna, stages['gad-7'], { gad7: points(7) })
  await answer(anna, stages['adverse-event'], {
    ...{ ae_term: 'A \u0007 bell & half \ud83d an emoji', ae_start: '2025-03-03T00:00:00Z', ae_ongoing: ['Yes'] },
    ...{ ae_grade: ['Mild'], ae_serious: ['No'], ae_related: ['Not related'], ae_action: ['Unknown'] },
    ...{ ae_treated: ['No'], ae_outcome: ['Unknown'] },
  })
  return sdtmOf(here, here.owner, of.trial)
}

test.skipIf(!hasPython('xml'))('every OID resolves, every variable and value is as the define.xml says', async () => {
  const sdtm = await sample()
  const define = defineOf(sdtm)
  const ids = (tag: string) => new Set(all(define, tag).map(({ own }) => present(own.OID)))
  for (const tag of [
    'ItemDef',
    'ItemGroupDef',
    'CodeList',
    'MethodDef',
    'ValueListDef',
    'WhereClauseDef',
    'CommentDef',
  ])
    expect(`${tag} ${ids(tag).size}`).toBe(`${tag} ${all(define, tag).length}`)
  const references = [
    ...(['ItemRef ItemOID ItemDef', 'ItemRef MethodOID MethodDef', 'CodeListRef CodeListOID CodeList'] as const),
    ...(['ValueListRef ValueListOID ValueListDef', 'WhereClauseRef WhereClauseOID WhereClauseDef'] as const),
    ...(['RangeCheck ItemOID ItemDef', 'ItemDef CommentOID CommentDef', 'ItemGroupDef StandardOID Standard'] as const),
    ...(['CodeList StandardOID Standard'] as const),
  ]
  for (const reference of references) {
    const [tag = '', attribute = '', to = ''] = reference.split(' ')
    const named = all(define, tag).flatMap(({ own }) => own[attribute] ?? [])
    expect(`${reference} ${named.length > 0}`).toBe(`${reference} true`)
    expect(named.filter((OID) => !ids(to).has(OID))).toEqual([])
  }
  const items = new Map(all(define, 'ItemDef').map((item) => [item.own.OID, item]))
  const lists = new Map(all(define, 'CodeList').map((list) => [list.own.OID, list]))
  const used = [...all(define, 'ItemRef').map(({ own }) => own.ItemOID)]
  expect([...items.keys()].filter((OID) => !used.includes(OID))).toEqual([])
  for (const group of all(define, 'ItemGroupDef')) {
    const name = present(group.own.Name)
    const leaf = present(all(group, 'leaf')[0])
    expect(leaf.own).toEqual({ ID: present(group.own.ArchiveLocationID), href: `${name.toLowerCase()}.xpt` })
    const defined = group.children
      .filter(({ tag }) => tag === 'ItemRef')
      .map(({ own }) => present(items.get(own.ItemOID)))
    const variables = variablesOf(present(sdtm.parts.get(present(leaf.own.href))))
    expect(variables.map((each) => each.name)).toEqual(defined.map(({ own }) => present(own.Name)))
    for (const [at, { own, children }] of defined.entries()) {
      const variable = present(variables[at])
      const said = present(children.find(({ tag }) => tag === 'Description')?.children[0]?.text)
      expect(variable.label).toBe(said)
      expect(['integer', 'float'].includes(present(own.DataType))).toBe(!variable.isText)
      if (own.DataType === 'text') expect(`${own.OID} ${own.Length}`).toBe(`${own.OID} ${variable.width}`)
      const list = lists.get(all(present(defined[at]), 'CodeListRef')[0]?.own.CodeListOID ?? '')
      const allowed = list && new Set(list.children.map((each) => each.own.CodedValue))
      for (const row of sdtm.rows(name.toLowerCase())) {
        const value = row[variable.name] ?? ''
        if (value === '') continue
        if (allowed) expect(`${own.OID} ${value} ${allowed.has(value)}`).toBe(`${own.OID} ${value} true`)
        if (own.DataType === 'integer') expect(value).toMatch(/^-?\d+$/)
        if (own.DataType === 'date') expect(value).toMatch(/^\d{4}-\d{2}-\d{2}$/)
        if (own.DataType === 'datetime') expect(value).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/)
        if (own.Length) expect(Buffer.byteLength(value)).toBeLessThanOrEqual(Number(own.Length))
      }
    }
  }
  expect(define.own).toMatchObject({ ODMVersion: '1.3.2', FileType: 'Snapshot', Context: 'Other' })
  expect(sdtm.rows('qs').find(({ QSTESTCD }) => QSTESTCD === 'GAD7Q02')).toMatchObject({ QSTEST: 'GAD-7 Question 2' })
  expect(sdtm.define).toContain('Feeling nervous')
})

test.skipIf(!hasPython('xml'))('the elements are in the order of Define-XML, with their attributes', async () => {
  const define = defineOf(await sample())
  expect(faultsOf(define)).toEqual([])
  for (const { own } of all(define, 'ItemDef')) expect(own.SASFieldName).toMatch(/^[A-Z][A-Z0-9]{0,7}$/)
  for (const { own } of all(define, 'leaf')) expect(own.ID).toMatch(/^[A-Za-z_][\w.-]*$/)
  for (const { own } of all(define, 'Class'))
    expect(['SPECIAL PURPOSE', 'EVENTS', 'INTERVENTIONS', 'FINDINGS', 'RELATIONSHIP']).toContain(present(own.Name))
})

const schema = process.env.TRIALBOX_XSD

test.skipIf(!schema || !Bun.which('xmllint'))(
  'is valid by the schema of CDISC in the folder TRIALBOX_XSD',
  async () => {
    const path = join(temporaryFolder(), 'define.xml')
    writeFileSync(path, (await sample()).define)
    const file = join(schema ?? '', 'cdisc-define-2.1', 'define2-1-0.xsd')
    const done = Bun.spawnSync(['xmllint', '--nonet', '--noout', '--schema', file, path])
    expect(done.stderr.toString()).toContain('validates')
  },
)

test('each question of the library has a code of its own, of 8 characters, and a name of 40', async () => {
  const library = [...(await loadQuestionnaires()).values()]
  const missing = library.filter((each) => each.completedBy === 'participant' && !isInstrument(each))
  expect(missing.map(({ id }) => id)).toEqual([])
  const questions = library.filter(isInstrument).flatMap((each) => [...questionCodes(each).values()])
  expect(questions.length).toBeGreaterThan(200)
  for (const key of ['test', 'name'] as const) {
    const values = questions.map((each) => each[key])
    expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([])
  }
  for (const { test, name } of questions) {
    expect(test).toMatch(/^[A-Z][A-Z0-9]{0,7}$/)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(40)
  }
})

test('names of qualifiers are different, of 8 characters with the number of a part, and none is a part of another', () => {
  const wanted = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '1', '9', '_', 'é'), maxLength: 9 }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(wanted, (codes) => {
      const name = qualifierNames([['AE', 'AECOM']])
      const distinct = [...new Set(codes)]
      const names = distinct.map((code) => name('AE', code, code))
      expect(distinct.map((code) => name('AE', code, code))).toEqual(names)
      const all = ['AECOM', ...names].flatMap((each) => [each, ...[1, 9, 10, 99, 123].map((n) => partName(each, n))])
      expect(new Set(all).size).toBe(all.length)
      for (const each of all) expect(each).toMatch(/^[A-Z][A-Z0-9]{0,7}$/)
    }),
    { numRuns: runs(200) },
  )
})
