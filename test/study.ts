/** A small study, created over HTTP as a data manager does: data types of every format, a stage with them, participants. */
import type { Id } from '#kernel/id'
import { buildOnce } from './buildOnce'
import { type Person, type World, world } from './harness'

export const everyFormat = [
  { name: 'Symptom', code: 'symptom', format: 'text', minLength: 2, maxLength: 20 },
  { name: 'Diary', code: 'diary', format: 'paragraph', maxLength: 500 },
  { name: 'Pulse', code: 'pulse', format: 'integer', min: 30, max: 220 },
  { name: 'Glucose', code: 'glucose', format: 'float', min: 0, max: 30, decimals: 1 },
  { name: 'Pain', code: 'pain', format: 'slider', min: 0, max: 100, step: 5 },
  { name: 'Sleep', code: 'sleep', format: 'rating', min: 1, max: 5 },
  { name: 'Girth', code: 'girth', format: 'measurements', min: 10, max: 300, unit: 'cm' },
  { name: 'Visit day', code: 'visitday', format: 'date', allowFuture: false },
  { name: 'Taken at', code: 'takenat', format: 'datetime' },
  { name: 'Woke at', code: 'wokeat', format: 'time' },
  {
    name: 'Smoker',
    code: 'smoker',
    format: 'choice',
    options: [
      { label: 'Yes', code: '1' },
      { label: 'No', code: '0' },
    ],
  },
  {
    name: 'Effects',
    code: 'effects',
    format: 'choice',
    multiple: true,
    maxSelected: 2,
    options: [{ label: 'Nausea' }, { label: 'Rash' }, { label: 'Fever' }, { label: 'None', isExclusive: true }],
  },
  {
    name: 'Mood',
    code: 'mood',
    format: 'likert',
    scale: [0, 1, 2, 3].map((value) => ({ value, label: `level ${value}` })),
    statements: [
      { key: 'q1', label: 'Calm' },
      { key: 'q2', label: 'Cheerful' },
    ],
    allowNotApplicable: true,
  },
  {
    name: 'Drugs',
    code: 'drugs',
    format: 'table',
    maxRows: 2,
    columns: [
      { id: 'name', label: 'Name', format: 'text' },
      { id: 'dose', label: 'Dose', format: 'integer', min: 1 },
    ],
  },
  { name: 'Body', code: 'body', format: 'bmi' },
  { name: 'Letter', code: 'letter', format: 'file', mimeTypes: ['application/pdf'] },
  { name: 'Photo', code: 'photo', format: 'image' },
  { name: 'Film', code: 'film', format: 'video' },
  { name: 'Double pulse', code: 'double', format: 'calculation', expression: 'pulse * 2' },
] as const

/** A valid answer for each format without an upload. */
export const goodAnswers: Record<string, unknown> = {
  symptom: 'cough',
  diary: 'Slept well.\nWalked.',
  pulse: 72,
  glucose: 5.4,
  pain: 35,
  sleep: 4,
  girth: 91.5,
  visitday: '2026-03-01T00:00:00.000000Z',
  takenat: '2026-03-02T07:15:00.000000Z',
  wokeat: '06:30',
  smoker: ['No'],
  effects: ['Nausea', 'Fever'],
  mood: { q1: 2, q2: null },
  drugs: [{ name: 'Aspirin', dose: 100 }],
  body: { height: 180, weight: 81, bmi: 25 },
}

type StageChange = Record<string, unknown> & {
  required?: string[]
  component?: Record<string, Record<string, unknown>>
}

type Options = { stage?: StageChange; trial?: Record<string, unknown> }

/** Makes the trial, its data types, the stage and the participants. */
async function build({ owner, team }: World, { stage: change = {}, trial: fields }: Options) {
  const trial: Id = (await owner.do('createTrial', team, { name: 'Breath study' }))._id
  if (fields) await owner.do('updateTrial', trial, fields)
  const ids: Record<string, Id> = {}
  for (const dataType of everyFormat) ids[dataType.code] = (await owner.do('createDataType', trial, dataType))._id
  const { required = [], component = {}, ...rest } = change
  // A poll takes no files.
  const asked = everyFormat.filter(({ format }) => !change.isPoll || !['file', 'image', 'video'].includes(format))
  const components = asked.map(({ code, name }) => ({
    id: code,
    dataType: ids[code],
    title: name,
    isRequired: required.includes(code),
    ...component[code],
  }))
  const stage: Id = (await owner.do('createStage', trial, { name: 'Visit', components, ...rest }))._id
  const { participants } = await owner.do('registerParticipants', trial, {
    participants: ['P-1', 'P-2', 'P-10'].map((participantId) => ({ participantId, password: 'correct horse' })),
  })
  const [anna, bert, carl] = participants.map(({ _id }) => _id) as [Id, Id, Id]
  return { trial, ids, stage, components, anna, bert, carl }
}

/** A trial with every format in one stage and three participants, and short forms of common requests. */
export async function study({ world: given, ...options }: Options & { world?: World } = {}) {
  if (given) return shortCuts(given, await build(given, options))
  const { w, made } = await buildOnce(`study ${JSON.stringify(options)}`, async () => {
    const w = world()
    return { w, made: await build(w, options) }
  })
  return shortCuts(w, made)
}

export type Study = ReturnType<typeof shortCuts>

/** A study that was built in this world, with short forms of common requests. */
export function shortCuts(w: World, made: Awaited<ReturnType<typeof build>>) {
  const { owner } = w
  const { trial, ids, stage, anna } = made
  /** Converts answers by code to the form in which they are sent, by data type. */
  const sent = (answers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code] ?? code, { value }]))
  const url = (participant: Id = anna, at: string = stage) =>
    `/trials/${trial}/participants/${participant}/responses/${at}` as const
  return {
    ...w,
    signInStaff: w.signIn,
    ...made,
    sent,
    url,
    /** Enters answers by code, as the owner or another person. */
    enter: (answers: Record<string, unknown>, more: Record<string, unknown> = {}, by: Person = owner, at = url()) =>
      by.call('PUT', at, { response: sent(answers), ...more }),
    /** The participant with this ID, signed in. */
    async signIn(participantId = 'P-1', password = 'correct horse') {
      const { code } = await owner.do('readTrial', trial)
      const { token } = await w.nobody.do('signInParticipant', { trialCode: code, participantId, password })
      return w.person({ Authorization: `Bearer ${token}` })
    },
    /** The values of a response by code. */
    values: (response: { response: Record<Id, { value: unknown }> }) =>
      Object.fromEntries(
        Object.entries(ids).flatMap(([code, id]) =>
          id in response.response ? [[code, response.response[id]!.value]] : [],
        ),
      ),
  }
}
