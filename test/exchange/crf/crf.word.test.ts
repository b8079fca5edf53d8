import { expect, test } from 'bun:test'
import { auditEntries } from '#db/tables/index'
import { HOUR } from '#kernel/time'
import { study, unknown } from '../../design/stages/stages.study'
import { type Person, world } from '../../harness'
import { firstOf } from '../../present'
import { goodAnswers, everyFormat as kinds } from '../../study'
import { study as rows } from '../exports/exportStudy'
import { everything, fileOf, partsOf, textOf } from './crf.study'

test('a blank Word form has the same content in real tables, with page fields', async () => {
  const here = await everything()
  const { url } = await here.owner.do('readStage', here.stage, { format: 'docx' })
  const { bytes, type } = await fileOf(here, url)
  expect(type).toContain('wordprocessingml')
  const text = await textOf(bytes)
  for (const [at, { name }] of kinds.entries()) expect(text).toContain(`${at + 1}. Question about ${name}`)
  expect(text).toContain('Only if “Question about Smoker” is “Yes” (question 11).')
  expect(text).toContain('○ Yes')
  expect(text).toContain('☐ Nausea')
  const parts = partsOf(bytes)
  const main = parts['word/document.xml']!
  expect(main).toContain('<w:tblHeader/>')
  expect(main).not.toContain('☒')
  // Word refuses measures that are not whole numbers.
  for (const xml of Object.values(parts)) expect(xml).not.toMatch(/ w:(w|val|pos|left|before|hanging)="-?\d+\.\d+"/)
  const part = (kind: string) => Object.entries(parts).find(([name]) => name.startsWith(`word/${kind}`))![1]
  expect(part('footer')).toMatch(/PAGE<[\s\S]*NUMPAGES</)
  expect(part('footer')).toContain('Printed 2 March 2026')
  expect(part('header')).toContain('Protocol WAS-2026/04')
  const entries = here.db.select().from(auditEntries).all()
  expect(entries.filter(({ type }) => type === 'exportStructure')).toMatchObject([{ event: { format: 'docx' } }])
})

test('a filled Word form has the answers, and an audit entry with the participant', async () => {
  const here = await everything()
  const { owner, ids, stage, trial, db } = here
  const people = { participants: [{ participantId: 'P-007', password: 'correct horse' }] }
  const participant = firstOf((await owner.do('registerParticipants', trial, people)).participants)._id
  const answers = Object.fromEntries(Object.entries(goodAnswers).map(([code, value]) => [ids[code], { value }]))
  const stored = await owner.do('enterResponse', trial, participant, stage, {
    response: answers,
  })
  const { url } = await owner.do('readStage', stage, { format: 'docx', response: stored._id })
  const text = await textOf((await fileOf(here, url)).bytes)
  for (const each of [
    'cough',
    '72',
    '5.4',
    '91.5 cm',
    '01 / 03 / 2026',
    '02 / 03 / 2026 07:15 (UTC)',
    '06:30',
    '● No',
    '○ Yes',
    '☒ Nausea ☐ Rash ☒ Fever ☐ None',
    'Calm ○ ○ ● ○ ○',
    'Cheerful ○ ○ ○ ○ ●',
    'Aspirin 100',
    'Height: 180 cm Weight: 81 kg BMI: 25 kg/m²',
    '144',
  ])
    expect(text).toContain(each)
  expect(text).not.toContain('Slept well') // asked of smokers only
  const [entry] = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'exportResponse')
  expect(entry).toMatchObject({ participant, event: { format: 'docx', stage, response: stored._id } })
  expect(JSON.stringify(entry)).not.toContain('cough')
  here.clock(HOUR + 1)
  expect((await here.fetch(url)).status).not.toBe(200)
})

test('a filled form shows the answers that its reader may see, and marks the others as hidden', async () => {
  const here = world()
  const of = rows(here)
  const open = of.field('pulse', { format: 'integer' })
  const restricted = of.field('hiv', { isRestricted: true })
  const pii = of.field('street', { isPii: true })
  const stage = of.stage('Visit', [open, restricted, pii])
  const [a, b] = [of.site('S-A'), of.site('S-B')]
  const anna = of.participant('P-1', { sites: [a] })
  const response = await of.submit(anna, stage, { [open]: 61, [restricted]: 'positive', [pii]: 'Elm Street' })
  const url = `/stages/${stage}?format=docx&response=${response}` as const
  const read = async (who: Person) =>
    textOf((await fileOf(here, (await who.do('readStage', stage, { format: 'docx', response })).url)).bytes)
  const seen = async (...words: string[]) => {
    const text = await read(here.staff(of.trial, words, a))
    return ['61', 'positive', 'Elm Street', 'Not shown in this copy.', 'p@example.org'].filter((each) =>
      text.includes(each),
    )
  }
  expect(await seen('site.readParticipantStudyData')).toEqual(['61', 'Not shown in this copy.'])
  expect(await seen('site.readParticipantStudyData', 'site.readParticipantStudyDataRestricted')).toEqual([
    '61',
    'positive',
    'Not shown in this copy.',
  ])
  expect(
    await seen(
      'site.readParticipantStudyData',
      'site.readParticipantStudyDataRestricted',
      'site.readParticipantStudyDataPii',
    ),
  ).toEqual(['61', 'positive', 'Elm Street'])
  expect((await here.staff(of.trial, ['site.readParticipantStudyData'], b).call('GET', url)).status).toBe(404)
  const refused = await here.staff(of.trial, ['trial.manageWallet']).call('GET', url)
  expect(refused.status).toBe(403)
  const refusals = here.db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'accessRefused')
  expect(refusals).toHaveLength(1)
  const other = of.stage('Other', [open])
  expect((await here.owner.call('GET', `/stages/${other}?format=docx&response=${response}`)).status).toBe(404)
  expect((await here.owner.call('GET', `/stages/${stage}?format=docx&response=${unknown}`)).status).toBe(404)
})

test('a blank form needs only access to the trial; only Word forms can be filled', async () => {
  const here = study()
  const { _id } = await here.make()
  expect((await here.staff(here.trial, ['trial.manageWallet']).call('GET', `/stages/${_id}?format=pdf`)).status).toBe(
    200,
  )
  expect((await here.invite([]).call('GET', `/stages/${_id}?format=pdf`)).status).toBe(404)
  for (const query of ['format=pdf&', 'format=odm&', '']) {
    const { status, body } = await here.owner.call('GET', `/stages/${_id}?${query}response=${unknown}`)
    expect([status, body.validations]).toEqual([422, { query: { response: ['Is filled in with format=docx only.'] } }])
  }
  expect((await here.owner.call('GET', `/stages/${_id}?format=doc`)).status).toBe(422)
  expect((await here.owner.call('GET', `/stages/${_id}?format=docx&response=1`)).status).toBe(422)
})
