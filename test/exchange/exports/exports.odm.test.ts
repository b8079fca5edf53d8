/** CDISC ODM (docs/odm.md, "What becomes what"). */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { attribute, children, textIn } from '#documents/xml'
import { readPlan } from '#exchange/imports/read'
import { signatureStudy } from '../../conduct/signatures/signatures.study'
import { world } from '../../harness'
import { runs } from '../../proof'
import { manifestIn } from '../studyRecord/archive'
import { everyFormat, study } from './exportStudy'
import { answer, entries, twoSites } from './exports.study'
import { complaints, expectValid, labelsOf, lint, odmOf, schemas, valuesOf, within } from './odmFile'
import { expectStructure } from './odmStructure'

if (!schemas)
  console.warn('SKIPPED: TRIALBOX_XSD is not set, so ODM files are not checked against the schemas of CDISC.')

const versions = ['1.3.2', '2.0'] as const

/** A study with every format, Unicode, a label of 300 characters, a text of 40,000, blanks and forbidden characters. */
async function everything() {
  const here = world()
  const of = study(here, { name: 'Schlaf & 漢字 <א>', code: 'S"1' })
  const long = `${'Ж'.repeat(299)}!`
  const ids: Record<string, string> = Object.fromEntries(
    Object.entries(everyFormat).map(([code, settings]) => [code, of.field(code, settings)]),
  )
  const add = (code: string, settings: Record<string, unknown>) => {
    ids[code] = of.field(code, settings)
  }
  add('long', {
    format: 'choice',
    options: [
      { label: long, code: '7' },
      { label: 'B', code: '8' },
    ],
  })
  add('essay', { format: 'paragraph' })
  add('odd', { format: 'text' })
  add('tiny', { format: 'float', min: 1e-9 })
  add('weight', { format: 'float', unit: 'kg', min: 1, max: 400 })
  here.db.run("UPDATE dataTypes SET unit = 'kg' WHERE code = 'weight'")
  const stage = of.stage('Visit', Object.values(ids), { isRecurring: true })
  const anna = of.participant('P & "1"', { sites: [of.site('S-A')] })
  const essay = `${'é😀'.repeat(13_333)}\n\tend `
  const sent: Record<string, unknown> = {
    comment: ' <b>&amp; "x"\r\n',
    pulse: -5,
    temperature: 36.25,
    birthday: '2001-02-03T00:00:00.000000Z',
    taken: '2001-02-03T04:30:15.250000Z',
    woke: '06:15',
    smoker: ['No'],
    effects: ['Nausea', '=Pain'],
    mood: { q1: 2, q2: null },
    drugs: [{ name: 'Aspirin' }, { name: 'שלום' }],
    mass: { height: 180, weight: 81 },
    long: [long],
    essay,
    odd: 'a\u0001b\ufffe',
    weight: 81.5,
    tiny: 1e-7,
  }
  const answers = Object.fromEntries(Object.entries(sent).map(([code, value]) => [ids[code] ?? '', value]))
  await of.submit(anna, stage, answers)
  await of.submit(anna, stage, { [ids.pulse ?? '']: 7 }, 1)
  return { here, of, ids, stage, long, essay, url: `/trials/${of.trial}/responses` as const }
}

describe('an ODM file', () => {
  test.skipIf(!lint).each(versions)('%s has every value, code and label', async (version) => {
    const { here, url, long, essay } = await everything()
    const { root, path, parts, text } = await odmOf(here, here.owner, `${url}?type=odm&odmVersion=${version}`)
    expect(complaints(path)).toBe('')
    expectStructure(text, version)
    expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
    const values = valuesOf(root, 'P & "1"')
    for (const [name, expected] of Object.entries({
      comment: [' <b>&amp; "x"\r\n', null],
      diary: [null, null],
      pulse: ['-5', '7'],
      temperature: ['36.25', null],
      birthday: ['2001-02-03', null],
      taken: ['2001-02-03T04:30:15.250000Z', null],
      woke: ['06:15', null],
      smoker: ['2', null],
      effects: ['1', '3', null],
      q1: ['2', null],
      q2: ['NA', null],
      name: ['Aspirin', 'שלום', null],
      bmi: ['25', null],
      height: ['180', null],
      long: ['7', null],
      essay: [essay, null],
      odd: ['a\ufffdb\ufffd', null],
      tiny: ['0.0000001', null],
    }))
      expect({ name, values: values[name] }).toEqual({ name, values: expected })
    expect(labelsOf(root, 'long')).toEqual({ 7: long, 8: 'B' })
    expect(labelsOf(root, 'effects')).toEqual({ 1: 'Nausea', 2: 'Rash, itching', 3: '=Pain' })
    expect(labelsOf(root, 'mood_q1')).toEqual({ 0: '0', 1: '1', 2: '2', NA: 'Not applicable' })
    const [annotation] = within(within(root, 'ClinicalData')[0] ?? {}, 'Annotation')
    const [comment] = children(annotation ?? {}, 'Comment')
    const said = version === '2.0' ? children(comment ?? {}, 'TranslatedText')[0] : comment
    expect(textIn(said)).toBe('The value as a JSON string: "a\\u0001b\\ufffe"')
    expect(`${parts.get('README.txt')}`).toMatch(/U\+FFFD.*odd/)
    const [named] = within(root, 'Study')
    expect(version === '2.0' ? attribute(named ?? {}, 'StudyName') : textIn(within(root, 'StudyName')[0])).toBe(
      'Schlaf & 漢字 <א>',
    )
    expect(within(root, 'StudyEventData').map((event) => attribute(event, 'StudyEventRepeatKey'))).toEqual(['0', '1'])
    expect(entries(here, 'exportResponse').at(-1)?.event).toMatchObject({ format: 'odm', rows: 2 })
  })

  test.skipIf(!lint || !schemas).each(versions)(
    '%s is valid by the schema of CDISC (TRIALBOX_XSD)',
    async (version) => {
      const { here, url } = await everything()
      for (const history of ['', '&history=true']) {
        const { path } = await odmOf(here, here.owner, `${url}?type=odm&odmVersion=${version}${history}`)
        expectValid(path, version)
      }
    },
  )

  test.skipIf(!lint)('is well-formed whatever is answered', async () => {
    const here = world()
    await fc.assert(
      fc.asyncProperty(fc.record(answer, { requiredKeys: ['pulse'] }), fc.boolean(), async (sent, isRecurring) => {
        const of = study(here)
        const ids = Object.entries(everyFormat).map(([code, settings]) => ({ code, _id: of.field(code, settings) }))
        const stage = of.stage(
          'Visit',
          ids.map(({ _id }) => _id),
          { isRecurring },
        )
        const given = ids.flatMap(({ code, _id }) => {
          const value = (sent as Record<string, unknown>)[code]
          return value === undefined ? [] : [[_id, value] as const]
        })
        await of.submit(of.participant('P-1'), stage, Object.fromEntries(given))
        const version = versions[Number(isRecurring)] ?? '2.0'
        const url = `/trials/${of.trial}/responses?type=odm&odmVersion=${version}` as const
        const { root, path, text } = await odmOf(here, here.owner, url)
        expect(complaints(path)).toBe('')
        expectStructure(text, version)
        const values = valuesOf(root, 'P-1')
        expect(values.pulse).toEqual([String(sent.pulse)])
        expect(values.comment).toEqual([sent.comment === undefined ? null : String(sent.comment)])
      }),
      { numRuns: runs(12) },
    )
  })

  test('has an audit record of the newest value, and the reason', async () => {
    const s = await signatureStudy()
    const changed = await s.owner.call('PUT', `${s.responseUrl()}::0`, {
      response: s.sent({ pulse: 66 }),
      updateNote: 'Misread <at> first.',
    })
    expect(changed.status).toBe(200)
    const { root, text } = await odmOf(s, s.owner, `/trials/${s.trial}/responses?type=odm`)
    expectStructure(text)
    const items = within(root, 'ItemData').filter((each) => attribute(each, 'Value') === '66')
    expect(items).toHaveLength(1)
    const [record] = within(items[0] ?? {}, 'AuditRecord')
    expect(textIn(within(record ?? {}, 'ReasonForChange')[0])).toBe('Misread <at> first.')
    expect(attribute(within(record ?? {}, 'UserRef')[0] ?? {}, 'UserOID')).toBe(`U.${s.owner._id}`)
    expect(textIn(within(record ?? {}, 'DateTimeStamp')[0])).toMatch(/^\d{4}-.*Z$/)
    expect(within(root, 'User').map((user) => textIn(children(user, 'Email')[0]))).toContain(s.owner.email ?? '')
  })

  test('has valid signatures as such, others and queries in words', async () => {
    const s = await signatureStudy()
    await s.owner.do('raiseQuery', s.trial, { response: s.first, dataType: s.ids.pulse, text: 'Is 60 right?' })
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'I reviewed it' })
    const url = `/trials/${s.trial}/responses?type=odm` as const
    const { root, text } = await odmOf(s, s.owner, url)
    expectStructure(text)
    expect(within(root, 'FormData').map((form) => within(form, 'Signature').length)).toEqual([1, 1])
    expect(textIn(within(root, 'Meaning')[0])).toBe('I reviewed it')
    expect(textIn(within(root, 'CryptoBindingManifest')[0])).toMatch(/^SHA-256 [0-9a-f]{64}$/)
    expect(text).toContain('Is 60 right?')
    await s.owner.call('PUT', `${s.responseUrl()}::0`, { response: s.sent({ pulse: 66 }), updateNote: 'Misread.' })
    const later = await odmOf(s, s.owner, url)
    expect(within(later.root, 'Signature')).toEqual([])
    expect(later.text).toContain('Signature that is not valid any more: I reviewed it')
  })

  test('has nothing that its reader may not see', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    const { text, parts } = await odmOf(here, reader, `${url}?type=odm`)
    expect(text).toContain('Value="61"')
    for (const content of [text, ...parts.values()]) expect(`${content}`).not.toMatch(/\b(hiv|street|Elm 1|Oak 2)\b/)
    expect((await odmOf(here, here.owner, `${url}?type=odm`)).text).toMatch(/hiv[\s\S]*Elm 1/)
  })

  test('is of the participants whom the filters leave', async () => {
    const { here, url, a, stage } = await twoSites()
    const subjects = async (filter: string) =>
      within((await odmOf(here, here.owner, `${url}?type=odm&${filter}`)).root, 'SubjectData').map((each) =>
        attribute(each, 'SubjectKey'),
      )
    expect(await subjects(`sites=${a}`)).toEqual(['P-1'])
    expect(await subjects(`stages=${stage}`)).toEqual(['P-1', 'P-2'])
    expect(await subjects('from=2199-01-01')).toEqual([])
  })

  test('needs the permission and the feature, and refuses the form of tables', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData'])
    expect((await reader.call('GET', `${url}?type=odm`)).status).toBe(403)
    expect((await here.owner.call('GET', `${url}?type=odm&shape=wide`)).status).toBe(422)
    expect((await here.owner.call('GET', `${url}?type=csv&history=true`)).status).toBe(422)
    expect((await here.owner.call('GET', `${url}?type=csv&odmVersion=2.0`)).status).toBe(422)
    expect((await here.owner.call('GET', `${url}?type=odm&odmVersion=2.1`)).status).toBe(422)
    const { team } = await here.owner.do('readTrial', of.trial)
    await here.owner.do('updateTeam', team, { features: { advancedExport: false } })
    expect((await here.owner.call('GET', `${url}?type=odm`)).status).toBe(403)
  })

  test('becomes the same fields again when it is imported', async () => {
    const { here, url } = await everything()
    const { text } = await odmOf(here, here.owner, `${url}?type=odm`)
    const plan = await readPlan('odm', new TextEncoder().encode(text))
    const types = new Map(plan.dataTypes.map((type) => [type.code, type]))
    for (const [code, { format, multiple, statements, options }] of Object.entries(everyFormat)) {
      const type = types.get(code)
      expect(String(type?.format)).toBe(format)
      if (multiple) expect(type?.multiple).toBe(true)
      if (Array.isArray(statements)) expect(type?.statements).toEqual(statements)
      if (Array.isArray(options))
        expect(type?.options?.map(({ label }) => label)).toEqual(options.map(({ label }) => label))
    }
    expect(types.get('mood')).toMatchObject({
      allowNotApplicable: true,
      scale: [{ value: 0 }, { value: 1 }, { value: 2 }],
    })
    expect(types.get('weight')).toMatchObject({ unit: 'kg', min: 1, max: 400 })
  })
})
