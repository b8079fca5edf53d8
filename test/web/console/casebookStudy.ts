/** A study for the pages of staff, with two sites, a form of every sort of question, and people of several roles. Made over HTTP. */
import { eq } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import { permissions, users } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { listen } from '#server/listen'
import { world } from '../../harness'
import { present } from '../../present'
import { type BrowserOptions, inBrowser } from '../browser'

const NURSE = ['read', 'readParticipantPersonalInformation', 'readParticipantStudyDataPii', 'writeParticipantStudyData']

/** A world with its study, and a server for browsers. */
export async function casebookStudy() {
  const here = world()
  const { owner, team } = here
  const trial = await owner.do('createTrial', team, { name: 'Sleep and Recovery' })
  if (!('_id' in trial)) throw new Error('The trial is not there yet.')
  const id = trial._id
  await owner.do('updateTrial', id, { code: 'sr-24', timezone: 'Europe/Paris', responseSigningEnabled: true })
  const [harbour, hill] = await Promise.all(
    ['Harbour', 'Hill'].map((name) => owner.do('createSite', id, { name, id: name.slice(0, 3).toUpperCase() })),
  )
  const field = async (code: string, fields: Record<string, unknown>) =>
    (await owner.do('createDataType', id, { name: code, code, ...fields }))._id
  const options = ['Never', '1–2 nights', '3 or more'].map((label) => ({ label }))
  const fields = {
    sbp: await field('sbp', { name: 'Systolic pressure', format: 'integer', unit: 'mmHg', min: 90, max: 200 }),
    dbp: await field('dbp', { format: 'integer', unit: 'mmHg', min: 40, max: 130 }),
    pulse: await field('pulse', { format: 'integer', unit: '/min', min: 20, max: 220 }),
    bmi: await field('bmi', { format: 'bmi' }),
    woke: await field('woke', {
      format: 'choice',
      options: [...options, { label: 'Not known', missing: true }],
    }),
    nights: await field('nights', {
      format: 'choice',
      multiple: true,
      options: ['Mon', 'Tue', 'Wed', 'Thu'].map((label) => ({ label })),
    }),
    since: await field('since', { format: 'date' }),
    hiv: await field('hiv', { name: 'HIV status', format: 'text', isRestricted: true }),
    street: await field('street', { name: 'Street', format: 'text', isPii: true }),
    mood: await field('mood', {
      format: 'likert',
      scale: [0, 1, 2].map((value) => ({ value, label: ['Never', 'Sometimes', 'Often'][value] })),
      statements: [
        { key: 'a', label: 'Felt rested in the morning' },
        { key: 'b', label: 'Was sleepy in the day' },
      ],
    }),
    drugs: await field('drugs', {
      format: 'table',
      columns: [
        { id: 'n', label: 'Name', format: 'text' },
        { id: 'd', label: 'Dose', format: 'float', unit: 'mg' },
      ],
    }),
    map: await field('map', {
      name: 'Mean pressure',
      format: 'calculation',
      expression: 'round((sbp + 2 * dbp) / 3, 0)',
    }),
    remarks: await field('remarks', { format: 'paragraph' }),
  }
  const components = [
    { id: 'h1', type: 'title', title: 'Vital signs' },
    { id: 'sbp', dataType: fields.sbp, title: 'Systolic pressure', isRequired: true },
    { id: 'dbp', dataType: fields.dbp, title: 'Diastolic pressure', isRequired: true },
    { id: 'map', dataType: fields.map, title: 'Mean pressure' },
    { id: 'pulse', dataType: fields.pulse, title: 'Pulse' },
    { id: 'bmi', dataType: fields.bmi, title: 'Height and weight' },
    { id: 'h2', type: 'title', title: 'Sleep since the last visit' },
    { id: 'woke', dataType: fields.woke, title: 'Woke at night', isRequired: true },
    {
      ...{ id: 'nights', dataType: fields.nights, title: 'Which nights' },
      condition: { dataType: fields.woke, operator: 'equal', value: '3 or more' },
    },
    { id: 'since', dataType: fields.since, title: 'Since when' },
    { id: 'mood', dataType: fields.mood, title: 'How the days were' },
    { id: 'drugs', dataType: fields.drugs, title: 'Medicines' },
    { id: 'hiv', dataType: fields.hiv, title: 'HIV status' },
    { id: 'street', dataType: fields.street, title: 'Street' },
    { id: 'remarks', dataType: fields.remarks, title: 'Remarks', isHidden: true },
  ]
  const stage = async (name: string, more: Record<string, unknown> = {}) => {
    const made = await owner.do('createStage', id, { name, components, allowIncompleteSubmission: true, ...more })
    return '_id' in made ? (made as { _id: Id })._id : present(undefined)
  }
  const screening = await stage('Screening')
  const baseline = await stage('Baseline')
  const later = (delay: number) => ({ enableAfter: { type: 'stage', stage: screening, delay } })
  await stage('Week 2 visit', later(14))
  await stage('Week 2 diary', { availabilityWindowHours: 30 })
  await stage('Week 4 visit', later(28))
  const event = await stage('Adverse event', { adHoc: true })
  const { participants } = await owner.do('registerParticipants', id, {
    participants: ['P-0441', 'P-0500'].map((participantId) => ({ participantId })),
  })
  const [anna, bert] = participants.map(({ _id }) => _id) as [Id, Id]
  await owner.do('addSiteMember', present(harbour)._id, anna)
  await owner.do('addSiteMember', present(hill)._id, bert)
  await owner.do('updateParticipant', id, anna, { name: 'Anna Ahlers', email: 'anna@example.org' })
  const answers = (values: Record<string, unknown>) => ({
    response: Object.fromEntries(
      Object.entries(values).map(([code, value]) => [fields[code as keyof typeof fields], { value }]),
    ),
  })
  const whole = {
    ...{
      sbp: 138,
      dbp: 84,
      pulse: 71,
      bmi: { height: 172, weight: 68.5 },
      woke: ['3 or more'],
      nights: ['Tue', 'Thu'],
    },
    ...{ since: '2026-02-20T00:00:00Z', mood: { a: 1, b: 2 }, hiv: 'SECRET-negative', street: 'Harbour Lane 7' },
    ...{
      drugs: [
        { n: 'Ramipril', d: 5 },
        { n: 'Metoprolol', d: 47.5 },
      ],
      remarks: 'Calm.\nSlept in the chair.',
    },
  }
  const enter = async (who: Id, which: Id, values: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    await owner.do('enterResponse', id, who, which, { ...answers(values), ...more })
  await enter(anna, screening, whole)
  here.clock(60_000_000)
  await enter(anna, baseline, { ...whole, woke: ['Not known'], nights: undefined })
  here.clock(60_000_000)
  await enter(anna, baseline, { sbp: 136 }, { updateNote: 'misread digit' })
  await enter(anna, event, { remarks: 'A rash', sbp: 120, dbp: 80, woke: ['Never'] })
  await enter(bert, screening, { ...whole, sbp: 150 })
  const [response] = (await owner.do('readParticipantResponses', id, anna)).responses.filter(
    (each) => each.stage === baseline,
  )
  /** A member of the team with these permissions on the trial, or on a site of it. */
  const member = (words: readonly string[], name: string, scope: Id = id) => {
    const who = here.invite([])
    here.db.update(users).set({ name }).where(eq(users._id, who._id)).run()
    const keys = words.map((each) => `trial.${each}`)
    here.db.insert(permissions).values({ user: who._id, trial: id, scope, keys }).run()
    return who
  }
  const nurse = member(NURSE, 'Nina Nurse', present(harbour)._id)
  const monitor = member(['read', 'raiseQueries', 'verifyStudyData'], 'Mona Monitor')
  const pharmacist = member(['readParticipants', 'readSites'], 'Paul Pharmacist')
  const ask = (dataType: Id | null, text: string) =>
    monitor.do('raiseQuery', id, { response: present(response)._id, dataType, text })
  const queries = [
    await ask(fields.sbp, 'Baseline has 136/84. The source says 126? Please check the sheet.'),
    await ask(fields.pulse, 'Was the pulse taken at rest?'),
    await ask(null, 'Please add the date of the visit.'),
  ]
  await monitor.do('verifyField', id, present(response)._id, fields.dbp)
  const server = listen(here.service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${server.port}`

  /** A page in which this person is signed in. */
  const as = (who: { _id: Id; email: string }, act: (page: Page) => Promise<void>, options: BrowserOptions = {}) =>
    inBrowser(
      async (page) => {
        // The clock of the server stands still, and with it what counts requests.
        here.clock(120_000_000)
        const { cookie } = await here.signIn(who)
        await giveCookie(page.context(), base, cookie)
        page.setDefaultTimeout(30_000)
        await page.clock.setFixedTime(new Date(here.now()))
        await act(page)
      },
      { viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', ...options },
    )
  return {
    ...here,
    trial: id,
    anna,
    bert,
    nurse,
    monitor,
    pharmacist,
    fields,
    screening,
    baseline,
    queries,
    base,
    as,
    server,
  }
}

const giveCookie = (context: BrowserContext, url: string, cookie: string) => {
  const at = cookie.indexOf('=')
  return context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }])
}
