/** A study for looking at the app of participants: forms of every state, messages, appointments, resources. Made over HTTP. */

/** Sends a request as the owner of the team, and returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of many operations, of which each use knows its own.
export type Call = (method: string, path: string, body?: unknown) => Promise<any>

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const PASSWORD = 'correct horse'

type Options = {
  /** The time of the server, in milliseconds. */
  now: number
  /** How often the diary is due. */
  diaries?: number
}

const at = (time: number): string => new Date(time).toISOString()

/** Returns the trial, with its code, and the participants P-1 (in the middle of everything) and P-2 (who has not begun). */
export async function appStudy(call: Call, team: string, { now, diaries = 60 }: Options) {
  const trial: string = (await call('POST', `/teams/${team}/trials`, { name: 'Breath and sleep after surgery' }))._id
  await call('PUT', `/trials/${trial}`, {
    sponsor: 'University Hospital',
    description: 'How people breathe and sleep in the months after an operation.',
    timezone: 'Europe/Berlin',
    foodDiariesEnabled: true,
  })
  const { code } = await call('GET', `/trials/${trial}`)
  const mood: string = (
    await call('POST', `/trials/${trial}/data-types`, {
      name: 'How do you feel?',
      code: 'mood',
      format: 'rating',
      min: 1,
      max: 5,
    })
  )._id
  const components = [{ id: 'mood', dataType: mood, title: 'How do you feel?', isRequired: false }]
  const stage = async (name: string, fields: Record<string, unknown> = {}): Promise<string> =>
    (await call('POST', `/trials/${trial}/stages`, { name, components, ...fields }))._id
  const first = await stage('About you', { description: 'Some questions about your life and your health.' })
  await stage('Breathing questionnaire', {
    description: 'How easily did you breathe in the last week? Please think of every day, and of the nights too.',
    availabilityWindowHours: 30,
  })
  await stage('Morning diary', {
    isRecurring: true,
    recurringFrequency: 1,
    recurringDuration: diaries,
    enableAfter: { type: 'stage', stage: first, delay: -3 },
    enableAtTime: '06:00:00',
  })
  await stage('Note a side effect', { adHoc: true, description: 'Whenever something bothers you.' })
  await stage('Follow-up after six weeks', { enableAfter: { type: 'stage', stage: first, delay: 42 } })
  const { participants } = await call('POST', `/trials/${trial}/participants`, {
    participants: ['P-1', 'P-2'].map((participantId) => ({ participantId, password: PASSWORD })),
  })
  const [anna, bert] = participants.map(({ _id }: { _id: string }) => _id) as [string, string]
  await call('PUT', `/trials/${trial}/participants/${anna}/responses/${first}`, { response: { [mood]: { value: 4 } } })
  const path = `/trials/${trial}/participants/${anna}`
  await call('POST', `${path}/messages`, { message: 'Good morning! How was your first night at home?' })
  await call('POST', `${path}/messages`, {
    message: '<img src=//elsewhere.test/x onerror=alert(1)> \u202eyou can write to us here at any time.\nBest wishes',
  })
  await call('POST', `${path}/events`, {
    title: 'Visit at the hospital',
    description: 'Please come with an empty stomach.\nEntrance B, second floor.',
    startsAt: at(now + 3 * DAY),
    duration: 90,
  })
  await call('POST', `${path}/meetings`, { name: 'Call with the study nurse', startAt: at(now + DAY), duration: 20 })
  const resource = (body: Record<string, unknown>) => call('POST', `/trials/${trial}/participantResources`, body)
  await resource({
    type: 'text',
    title: 'How to use the breathing trainer',
    html: '<h2>Before you begin</h2><p>Sit <strong>upright</strong> & relax.</p><ul><li>Breathe in</li><li>Breathe out</li></ul><script>alert(1)</script><p><a href="https://example.org/help">More help</a></p>',
  })
  await resource({ type: 'link', title: 'Website of the hospital', linkUrl: 'https://example.org/' })
  await resource({
    type: 'youtube',
    title: 'Exercises for your back',
    description: 'Five minutes each morning.',
    youtubeUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  })
  return { trial, code: code as string, anna, bert, mood, first }
}
