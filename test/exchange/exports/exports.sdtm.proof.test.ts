/** Exports in the shape of SDTM (docs/sdtm.md). */
import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import type { Id } from '#kernel/id'
import { firstOf, present } from '../../present'
import { temporaryFolder } from '../../temporary'
import { hasPython } from '../../writers/folder'
import { manifestIn } from '../studyRecord/archive'
import { everything, LONG } from './exports.sdtm.people'
import { libraryStudy, sdtmOf, transportRows, wholeText } from './exports.sdtm.study'
import { entries, twoSites } from './exports.study'

const pandas = hasPython('pandas')
const haven = Bun.which('Rscript') !== null && Bun.spawnSync(['Rscript', '-e', 'library(haven)']).exitCode === 0

describe('an export in the shape of SDTM', () => {
  // The world of a test ends with it: everything is made at once, and the tests read it.
  const make = async () => {
    const { here, of, stages } = await everything()
    const sdtm = await sdtmOf(here, here.owner, of.trial)
    const event = entries(here, 'exportResponse').at(-1)?.event
    const files = readdirSync(here.service.services.storage.exports)
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    const blind = await sdtmOf(here, reader, of.trial)
    const filter = `&stages=${stages['adverse-event']}`
    return { sdtm, event, files, blind, stages, filtered: await sdtmOf(here, here.owner, of.trial, filter) }
  }
  let made: ReturnType<typeof make> | undefined
  const shared = () => {
    made ??= make()
    return made
  }

  test('has each domain with what follows without guessing', async () => {
    const { sdtm } = await shared()
    expect(sdtm.rows('dm')).toMatchObject([
      {
        ...{ STUDYID: 'ABC-1', DOMAIN: 'DM', USUBJID: 'ABC-1-P-1', SUBJID: 'P-1', SITEID: 'S-A', SEX: 'F' },
        ...{ AGE: '44', AGEU: 'YEARS', BRTHDTC: '1980-05-06', RFICDTC: '2025-02-27', RFPENDTC: '2025-06-01', ARM: '' },
      },
      { USUBJID: 'ABC-1-P-2', SEX: '', AGE: '', AGEU: '' },
    ])
    expect(sdtm.rows('ds').map(({ DSTERM, DSDECOD, DSCAT }) => [DSTERM, DSDECOD, DSCAT])).toEqual([
      ['REGISTERED', 'REGISTERED', 'OTHER EVENT'],
      ['INFORMED CONSENT OBTAINED', 'INFORMED CONSENT OBTAINED', 'PROTOCOL MILESTONE'],
      ['Lost to follow-up', 'LOST TO FOLLOW-UP', 'DISPOSITION EVENT'],
      ['REGISTERED', 'REGISTERED', 'OTHER EVENT'],
    ])
    expect(sdtm.rows('ae')).toMatchObject([
      {
        ...{ AESEQ: '1', AETERM: 'Headache', AEDECOD: '', AESER: 'Y', AESLIFE: 'Y', AESMIE: 'Y' },
        ...{ AEACN: 'DRUG INTERRUPTED', AEREL: 'Possibly related', AEOUT: 'RECOVERED/RESOLVED', AECONTRT: 'N' },
        ...{ AESTDTC: '2025-03-03', AEENDTC: '2025-03-04' },
      },
    ])
    expect(sdtm.rows('suppae').find(({ QNAM }) => QNAM === 'AEGRAD')).toMatchObject({
      ...{ RDOMAIN: 'AE', IDVAR: 'AESEQ', IDVARVAL: '1', QVAL: 'Life-threatening', QORIG: 'CRF' },
    })
    expect(sdtm.rows('cm')).toMatchObject([
      {
        ...{ CMTRT: 'Aspirin', CMDOSE: '500.5', CMDOSU: 'mg', CMDOSFRQ: 'BID', CMROUTE: 'ORAL', CMSTDTC: '2025-01-01' },
      },
      { CMSEQ: '2', CMTRT: '=Ibuprofen', CMINDC: 'Pain', CMDOSE: '' },
    ])
    expect(sdtm.rows('suppdm').map(({ QNAM, QVAL, IDVAR }) => [QNAM, QVAL, IDVAR])).toEqual([
      ['ETHDES', 'Čech', ''],
      ['SMOKST', 'Former', ''],
    ])
  })

  test('has measurements and questions with their tests, units and scores', async () => {
    const { sdtm } = await shared()
    const measured = Object.fromEntries(sdtm.rows('vs').map((row) => [row.VSTESTCD, row]))
    expect(Object.keys(measured).sort()).toEqual(
      ['SYSBP', 'DIABP', 'PULSE', 'TEMP', 'HEIGHT', 'WEIGHT', 'BMI', 'MAP'].sort(),
    )
    expect(measured.TEMP).toMatchObject({
      ...{ VSTEST: 'Temperature', VSORRES: '36.6', VSORRESU: 'C', VSSTRESN: '36.6', VSPOS: 'SITTING', VSGRPID: '1' },
      ...{ VSDTC: '2025-03-01T08:30:00+00:00', VISIT: 'Vital signs', VISITNUM: '1' },
    })
    expect(measured.BMI).toMatchObject({ VSORRES: '', VSSTRESC: '25', VSSTRESU: 'kg/m2', VSDRVFL: 'Y' })
    expect(sdtm.rows('qs')).toHaveLength(11)
    expect(sdtm.rows('qs').at(1)).toMatchObject({
      ...{ QSTESTCD: 'PHQ0102', QSCAT: 'PHQ-9', QSORRES: 'Several days', QSSTRESC: '1', QSSTRESN: '1' },
    })
    expect(sdtm.rows('qs').at(9)).toMatchObject({ QSTESTCD: 'PHQ0110', QSORRES: 'Very difficult', QSSTRESN: '2' })
    expect(sdtm.rows('qs').at(10)).toMatchObject({ QSTESTCD: 'PHQ0111', QSORRES: '', QSSTRESN: '12', QSDRVFL: 'Y' })
    // Forms about the participant or the whole study are no visits.
    const visits = new Set(sdtm.rows('sv').map(({ VISIT }) => VISIT))
    expect([...visits].filter((name) => /demograph|eligib|adverse|concomitant|end of study/i.test(name ?? ''))).toEqual(
      [],
    )
    expect(sdtm.rows('sv').map(({ VISITNUM }) => VISITNUM)).toContain('1')
  })

  test('says what is not mapped, with counts, and is signed', async () => {
    const { sdtm, event, files } = await shared()
    for (const line of [
      'Eligibility: All inclusion criteria met [ie_included]: 1 answer. Only the consent',
      'Concomitant medication: Any concomitant medication [cm_any]: 1 answer. The form has no record',
      'A scale that staff fill in',
      'The study has no randomisation',
    ])
      expect(sdtm.readme).toContain(line)
    expect(manifestIn(sdtm.parts).said).toEqual(manifestIn(sdtm.parts).true)
    const path = join(temporaryFolder(), 'sdtm.zip')
    writeFileSync(path, sdtm.bytes)
    expect(await verifyRecord(path)).toMatchObject({ parts: sdtm.parts.size })
    expect(event).toMatchObject({ format: 'sdtm', rows: 9 })
    expect(files).toHaveLength(1)
  })

  test('keeps a long text whole', async () => {
    const { sdtm } = await shared()
    const row = firstOf(sdtm.rows('suppae').filter(({ QNAM }) => QNAM === 'AECOM'))
    const rest = sdtm.rows('suppae').filter(({ QNAM = '' }) => /^AECOM\d+$/.test(QNAM))
    expect(row.QVAL + rest.map(({ QVAL }) => QVAL).join('')).toBe(LONG)
    for (const { QVAL = '' } of sdtm.rows('suppae')) expect(Buffer.byteLength(QVAL)).toBeLessThanOrEqual(200)
  })

  test.skipIf(!pandas || !haven)('is read by pandas and haven as csv has it', async () => {
    const { sdtm } = await shared()
    for (const program of ['pandas', 'haven'] as const) {
      const tables = transportRows(sdtm, program)
      expect(tables.size).toBeGreaterThan(9)
      for (const [name, rows] of tables) {
        const written = sdtm.rows(name)
        expect(`${program} ${name} ${rows.length}`).toBe(`${program} ${name} ${written.length}`)
        for (const [at, row] of rows.entries())
          for (const [variable, cell] of Object.entries(row))
            expect(`${name}.${variable} ${cell ?? ''}`.trimEnd()).toBe(
              `${name}.${variable} ${written[at]?.[variable]}`.trimEnd(),
            )
      }
    }
  })

  test('has no restricted and personal answers of readers who may not see them', async () => {
    const { blind: sdtm } = await shared()
    expect(firstOf(sdtm.rows('dm'))).toMatchObject({ SEX: 'F', AGE: '' })
    expect(Object.keys(firstOf(sdtm.rows('dm')))).not.toContain('BRTHDTC')
    // Without trial.readParticipants, nothing is said of registration and withdrawal.
    expect(sdtm.rows('ds').map(({ DSTERM }) => DSTERM)).not.toContain('REGISTERED')
    for (const [name, bytes] of sdtm.parts)
      if (!name.endsWith('.json')) expect(`${name} ${bytes.includes('1980-05-06')}`).toBe(`${name} false`)
  })

  test('has the participants and answers that the filters leave', async () => {
    const { filtered: sdtm, stages } = await shared()
    expect([sdtm.rows('dm').length, sdtm.rows('ae').length, sdtm.rows('vs').length]).toEqual([2, 1, 0])
    expect(sdtm.readme).toContain(`stages       ${stages['adverse-event']}`)
  })
})

test('a question that was changed is not taken for one of the library', async () => {
  const { here, of, stages, answer, idOf } = await libraryStudy('vital-signs', 'phq-9')
  await here.owner.do('updateDataType', idOf('vs_temp'), { unit: '°F' })
  const anna = of.participant('P-1')
  await answer(anna, stages['vital-signs'], {
    vs_time: '2025-03-01T08:30:00Z',
    vs_sysbp: 121,
    vs_diabp: 80,
    vs_pulse: 60,
    vs_temp: 40,
  })
  const sdtm = await sdtmOf(here, here.owner, of.trial)
  expect(sdtm.rows('vs').map(({ VSTESTCD }) => VSTESTCD)).toEqual(['SYSBP', 'DIABP', 'PULSE', 'MAP'])
  // It is an answer of the form all the same.
  expect(sdtm.rows('suppvs')).toMatchObject([{ IDVAR: 'VSGRPID', IDVARVAL: '1', QNAM: 'VSTEM', QVAL: '40' }])
})

test('every participant has one record in DM, every record its participant, and every text is whole', async () => {
  const { here, of, stages, answer, idOf } = await libraryStudy('adverse-event', 'end-of-study')
  const own = of.field('own_note', { format: 'paragraph' })
  const components = [
    ...present(of.config().stages.get(stages['adverse-event'])).components,
    { id: 'own', dataType: own, title: 'Own note' },
  ]
  await here.owner.do('updateStage', stages['adverse-event'], { components })
  const spoken = fc
    .string({
      unit: fc.constantFrom('a', 'é', '😀', '漢', '"', ',', '<', '&', '\n', '=', "'", ' '),
      minLength: 1,
      maxLength: 190,
    })
    .filter((text) => text.trim() !== '')
  const long = fc.array(spoken, { minLength: 1, maxLength: 6 }).map((texts) => texts.join('|'))
  const texts = fc.sample(fc.record({ term: spoken, comment: long, note: long }), { numRuns: 40, seed: 7 })
  for (const [at, { term, comment, note }] of texts.entries())
    await answer(of.participant(`P-${at}`), stages['adverse-event'], {
      ...{ ae_term: term, ae_start: '2025-03-03T00:00:00Z', ae_comment: comment, own_note: note },
      ...{ ae_ongoing: ['Yes'], ae_grade: ['Mild'], ae_serious: ['No'], ae_related: ['Not related'] },
      ...{ ae_action: ['Unknown'], ae_treated: ['No'], ae_outcome: ['Unknown'] },
    })
  expect(idOf('ae_term')).toBeString()
  const sdtm = await sdtmOf(here, here.owner, of.trial)
  const subjects = sdtm.rows('dm').map(({ USUBJID = '' }) => USUBJID)
  expect(new Set(subjects).size).toBe(texts.length)
  for (const name of ['ds', 'ae', 'suppae'])
    for (const { USUBJID = '' } of sdtm.rows(name)) expect(subjects).toContain(USUBJID)
  for (const [at, { term, comment, note }] of texts.entries()) {
    const row = present(sdtm.rows('ae').find(({ USUBJID }) => USUBJID === `ABC-1-P-${at}`))
    expect(wholeText(sdtm, 'ae', row, 'AETERM')).toBe(term)
    const qualifiers = sdtm.rows('suppae').filter(({ USUBJID }) => USUBJID === row.USUBJID)
    const joined = (name: RegExp) => qualifiers.filter(({ QNAM = '' }) => name.test(QNAM)).map(({ QVAL }) => QVAL)
    expect(joined(/^AECOM\d*$/).join('')).toBe(comment)
    expect(joined(/^OWNNO\d*$/).join('')).toBe(note)
    expect(new Set(qualifiers.map(({ QNAM }) => QNAM)).size).toBe(qualifiers.length)
  }
})

test('it needs the permission and the feature, and refuses the form of tables', async () => {
  const { here, url, of } = await twoSites()
  const reader = here.staff(of.trial, ['trial.readParticipantStudyData'])
  expect((await reader.call('GET', `${url}?type=sdtm`)).status).toBe(403)
  expect((await here.owner.call('GET', `${url}?type=sdtm&shape=wide`)).status).toBe(422)
  expect((await here.owner.call('GET', `${url}?type=sdtm&dataset=history`)).status).toBe(422)
  // A study without forms of the library has its participants all the same.
  const sdtm = await sdtmOf(here, here.owner, of.trial)
  expect(sdtm.rows('dm')).toHaveLength(2)
  expect(sdtm.readme).toContain('Visit: The pulse [pulse]: 2 answers.')
})

test('a study whose participants are all archived has an empty DM, and hostile answers stay whole', async () => {
  const { here, of, stages, answer } = await libraryStudy('concomitant-medication')
  of.participant('gone', { isArchived: true })
  const empty = await sdtmOf(here, here.owner, of.trial)
  expect(empty.rows('dm')).toEqual([])
  const names = ['half \ud83d an emoji', '</ODM><x>', '=cmd|calc', 'NUL\u0007', '__proto__', `${'x'.repeat(199)}é`]
  const cm_list = names.map((name, at) => ({ name, dose: at ? 1e300 : 0.1 }))
  await answer(of.participant('P-1'), stages['concomitant-medication'], { cm_any: ['Yes'], cm_list })
  const sdtm = await sdtmOf(here, here.owner, of.trial)
  expect(sdtm.rows('cm').map((row) => wholeText(sdtm, 'cm', row, 'CMTRT'))).toEqual(
    names.map((each) => each.toWellFormed()),
  )
  // A transport file has no number as large as that: it is said, and not cut.
  expect(sdtm.rows('cm').map(({ CMDOSE }) => CMDOSE)).toEqual(['0.1', '', '', '', '', ''])
  expect(sdtm.readme).toContain('Concomitant medications [cm_list]: 5 answers.')
  if (haven) expect(transportRows(sdtm, 'haven').get('cm')?.[1]).toMatchObject({ CMTRT: '</ODM><x>', CMDOSE: null })
})

test('a death has its date: that of the end of the study, else of the fatal event', async () => {
  const { here, of, stages, answer } = await libraryStudy('adverse-event', 'end-of-study')
  for (const stage of Object.values(stages))
    await here.owner.do('updateStage', stage, { allowIncompleteSubmission: true })
  const day = (text: string) => `${text}T00:00:00.000000Z`
  const event = { ae_term: 'Sepsis', ae_start: day('2025-03-01'), ae_ongoing: ['No'] }
  const fatal = { ...event, ae_end: day('2025-03-09'), ae_outcome: ['Fatal'] }
  const [both, first, undated, unnamed] = ['P-1', 'P-2', 'P-3', 'P-4'].map((id) => of.participant(id)) as [
    Id,
    Id,
    Id,
    Id,
  ]
  for (const one of [both, first]) await answer(one, stages['adverse-event'], fatal)
  await answer(undated, stages['adverse-event'], { ...event, ae_serious: ['Yes'], ae_criteria: ['Results in death'] })
  const ended = { ds_completed: ['No'], ds_reason: ['Death'], ds_date: day('2025-03-10') }
  await answer(both, stages['end-of-study'], ended)
  // An event without a term is no record of AE, but the death is one of DM.
  await answer(unnamed, stages['adverse-event'], {
    ae_ongoing: ['No'],
    ae_end: day('2025-03-11'),
    ae_outcome: ['Fatal'],
  })
  const { rows } = await sdtmOf(here, here.owner, of.trial)
  expect(rows('ae')).toHaveLength(3)
  expect(rows('dm').map(({ DTHDTC, DTHFL }) => [DTHDTC, DTHFL])).toEqual([
    ['2025-03-10', 'Y'],
    ['2025-03-09', 'Y'],
    ['', 'Y'],
    ['2025-03-11', 'Y'],
  ])
})

test('a question of the study that is called like a variable has another name in SUPPQUAL', async () => {
  const { here, of, stages, idOf } = await libraryStudy('demographics')
  const race = of.field('race')
  const stage = await here.owner.do('readStage', stages.demographics)
  await here.owner.do('updateStage', stages.demographics, {
    allowIncompleteSubmission: true,
    components: [...stage.components!, { id: 'race', dataType: race, title: 'Race' }],
  })
  await of.submit(of.participant('P-1'), stages.demographics, { [race]: 'Asian', [idOf('dm_sex')]: ['Female'] })
  const { rows } = await sdtmOf(here, here.owner, of.trial)
  const names = rows('suppdm').map(({ QNAM, QVAL }) => [QNAM, QVAL])
  expect(names).toEqual([[expect.not.stringMatching(/^RACE$/), 'Asian']])
  expect(Object.keys(firstOf(rows('dm')))).toContain('RACE')
})
