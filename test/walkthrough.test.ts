import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, utils, write } from 'xlsx'
import { checks } from '#cli/verify'
import type { Send } from '#cli/walkthrough/client'
import { askedAboutAge, messagesTo, progressAtAmendment, tasks } from '#cli/walkthrough/expected'
import type { Mail } from '#cli/walkthrough/messages'
import { type Person, planStudy } from '#cli/walkthrough/plan'
import { clockBody, nextMidnight, runStudy } from '#cli/walkthrough/study'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { testClock } from '#server/testing/clock'
import { newestMessages } from '#server/testing/store'
import { makeTestOwner } from '#server/testing/world'
import { bun, freshFolder, root } from './server/process/folder'

const SIZE = { participants: 12, weeks: 2, seed: 1 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Staged = { send?: Send; size?: typeof SIZE; mails?: (all: Mail[]) => Mail[] }

/** A service on a free port, whose clock the study moves. `send` sends its requests; `mails` is its outbox. */
async function study({ send, size = SIZE, mails = (all) => all }: Staged = {}) {
  const clock = testClock(systemClock)
  const faults: unknown[] = []
  const service = openService({
    directory: freshFolder(),
    clock,
    publicUrl: '',
    version: '0.0.0+test',
    storageKey: Buffer.alloc(32, 7),
    fault: (reason) => faults.push(reason),
  })
  closing.push(service.close)
  const { port, stop } = listen(service, { host: '127.0.0.1', port: 0 })
  closing.push(stop)
  const url = `http://127.0.0.1:${port}`
  service.services.publicUrl = url
  const owner = await makeTestOwner(service.services)
  const moveTo = (at: number) => {
    clock.set(at)
    return service.services.tick()
  }
  const lines: string[] = []
  const outbox = async () => mails(newestMessages(service.services.db, 10_000))
  const ground = { url, ...owner, start: nextMidnight(clock.now()), moveTo, outbox, ...(send ? { send } : {}) }
  return { outcome: runStudy(ground, size, (line) => lines.push(line)), lines, faults, services: service.services }
}

/** Sends requests, and changes certain responses. */
const falsifying =
  (path: RegExp, change: (answer: Response) => Promise<BodyInit>): Send =>
  async (url, init) => {
    const response = await fetch(url, init)
    if (init.method !== 'GET' || !path.test(url)) return response
    return new Response(await change(response), { status: response.status, headers: response.headers })
  }

const replacing = (what: RegExp, by: string) => async (answer: Response) => (await answer.text()).replace(what, by)

/** Another score in the first row of the second sheet. */
async function rescored(answer: Response): Promise<BodyInit> {
  const book = read(await answer.arrayBuffer(), { type: 'array' })
  const sheet = book.Sheets[book.SheetNames[1]!]!
  const [head] = utils.sheet_to_json<string[]>(sheet, { header: 1 })
  const cell = utils.encode_cell({ r: 1, c: head!.indexOf('score') })
  sheet[cell].v += 1
  return write(book, { type: 'buffer', bookType: 'xlsx' })
}

/** Changes a byte near the end of a file that contains a word; other files stay as they are. */
const altered = (word: string) => async (answer: Response) => {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.includes(word)) bytes[bytes.length - 1]! ^= 1
  return bytes
}

/** The reason why a study failed. Bun's `rejects` would block the server, which is in this process. */
const reasonOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'it was passed',
    (fault) => String(fault.message),
  )

describe('a small study', () => {
  test('is as it was told, from the first visit to csv and xlsx', async () => {
    const size = { ...SIZE, participants: 60 } // enough for the amendment to need a job
    const { outcome, lines, faults, services } = await study({ size })
    const { counts } = await outcome
    const plan = planStudy(size.participants, size.weeks, size.seed)
    const { people, acts, corrections } = plan
    const count = (kind: string) => acts.filter((act) => act.kind === kind).length
    expect(counts).toMatchObject({
      participants: people.length,
      responses: people.length + 2 * (count('answer') + count('telephone')) + count('adverse'),
      byParticipants: 2 * count('answer'),
      byStaff: people.length + 2 * count('telephone') + count('adverse') + corrections.length,
      corrections: corrections.length,
      messages: people.flatMap((person) => messagesTo(plan, person, 'Study')).length,
      tasks: tasks(plan, 'Study').length,
      queries: count('adverse'),
      signatures: people.length - count('archive'),
    })
    expect(askedAboutAge(plan).length).toBeGreaterThan(0)
    for (const each of [counts.messages, counts.tasks, counts.queries, corrections.length])
      expect(each).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('by a job for 60 participants')
    expect(counts.comparisons).toBeGreaterThan(counts.responses!)
    expect(lines.at(-1)).toContain('the service says what it was told')
    expect(faults).toEqual([])
    for (const check of checks) expect(check.run(services.db.$client)).not.toBe('')
  }, 60_000)

  const lies: [string, RegExp, (answer: Response) => Promise<BodyInit>, RegExp][] = [
    ['a row is missing from the csv', /type=csv/, replacing(/\\r\\n[^\\]*(\\r\\n)?"\}$/, '"}'), /the rows of the csv/],
    ['a score of the csv is another', /type=csv/, replacing(/,(\d+),(true|false),/, ',99,$2,'), /in the csv: /],
    ['a score of the workbook is another', /\/storage\//, rescored, /in the sheet of phq9: /],
    [
      'nobody is behind schedule',
      /participants\?/,
      replacing(/"stagesBehindSchedule":[1-9]/g, '"stagesBehindSchedule":0'),
      /the progress of/,
    ],
    ['the history keeps no note', /\/history$/, replacing(/"updateNote":"[^"]*",?/, ''), /the history of a correction/],
    [
      'a message went out twice',
      /logs\/communication/,
      replacing(/"messages":\[(\{[^}]*\})/, '"messages":[$1,$1'),
      /the messages to/,
    ],
    [
      'a message went to another',
      /logs\/communication/,
      replacing(/"recipient":"\+447/, '"recipient":"+448'),
      /the messages to/,
    ],
    ['a task is about another', /\/tasks$/, replacing(/of participant /, 'of '), /the tasks/],
    ['a task is not done', /\/tasks$/, replacing(/"status":"completed"/, '"status":"pending"'), /the tasks once/],
    ['nobody was asked about an age', /\/queries\?/, replacing(/"rule":"instruction"/g, '"rule":"unit"'), /whose age/],
    ['a query is told as open', /\/queries\?/, replacing(/"status":"closed"/, '"status":"open"'), /the queries/],
    [
      'a casebook is told as complete',
      /casebooks$/,
      replacing(/"isComplete":false/, '"isComplete":true'),
      /the casebooks/,
    ],
    ['the locked dataset is another', /\/storage\//, altered('MANIFEST'), /the SHA-256 of the locked dataset/],
    [
      'a stage changed that was not amended',
      /against=/,
      replacing(/\]\.recurringDuration/, '].recurringFrequency'),
      /what the amendment changed/,
    ],
    ['the log has lost an entry', /logs\?type=submitResponse$/, replacing(/"total":\d+/, '"total":1'), /in the log/],
  ]
  test.each(lies)(
    'is not passed when %s',
    async (_, path, change, sentence) => {
      const { outcome } = await study({ send: falsifying(path, change) })
      expect(await reasonOf(outcome)).toMatch(sentence)
    },
    60_000,
  )
})

test('a small study is not passed when a nurse was told of no query', async () => {
  const { outcome } = await study({
    mails: (all) => all.filter(({ subject }) => !subject?.endsWith('a query for you')),
  })
  expect(await reasonOf(outcome)).toContain('the e-mails to staff')
}, 60_000)

describe('the plan', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(planStudy(40, 8, 7)).toEqual(planStudy(40, 8, 7))
    expect(planStudy(40, 8, 7)).not.toEqual(planStudy(40, 8, 8))
  })

  test.each([6, 12, 200])('of %p participants has every kind of act, none after its end', (size) => {
    const { acts, corrections, days, weeks } = planStudy(size, 2, 1)
    expect([...new Set(acts.map(({ kind }) => kind))].sort()).toEqual(
      ['adverse', 'answer', 'archive', 'telephone', 'tooLate', 'withdraw', 'withdrawn'].sort() as never,
    )
    expect(corrections.length).toBeGreaterThan(0)
    for (const act of acts) expect(act.day).toBeWithin(act.person.enrolsOn, days)
    const answered = acts.flatMap((act) =>
      act.kind === 'answer' || act.kind === 'telephone' ? [`${act.person.participantId} ${act.week}`] : [],
    )
    expect(new Set(answered).size).toBe(answered.length)
    for (const { person, week, value } of corrections) {
      expect(answered).toContain(`${person.participantId} ${week}`)
      expect(value).toBeWithin(0, 4)
      expect(week).toBeLessThan(weeks)
    }
  })
})

describe('what is expected of a plan', () => {
  const person = { participantId: 'P-1', enrolsOn: 0, email: 'p@example.org' } as Person
  const answers = { phq9: [3, 3, 3, 3, 3, 3, 3, 0, 0], gad7: [] }
  const evening = { person, when: 'evening', kind: 'answer', answers, isWrongAtFirst: false } as const
  const weeks = (...days: number[]) => days.map((day, week) => ({ ...evening, week, day }))
  const plan = { weeks: 2, days: 14, amendedOn: 6, people: [person], acts: weeks(0, 7), corrections: [] }
  const left = { person, day: 7, when: 'morning', kind: 'withdraw' } as const
  const notice = (n: number) => `“GAD-7, week ${n}” is waiting for your answers.`
  const reminder = 'They are still open, and take five minutes.'

  test.each([
    ['answers at once', { ...plan }, []],
    ['answers on the next day', { ...plan, acts: weeks(1, 8) }, [notice(1), reminder, notice(2)]],
    ['answers on the third day', { ...plan, acts: weeks(2, 9) }, [reminder, notice(1), reminder, notice(2)]],
    ['never answers', { ...plan, acts: [] }, [reminder, notice(1), reminder, notice(2)]],
    ['leaves after a week', { ...plan, acts: [left] }, [reminder, notice(1)]],
  ])('who %s gets these messages', (_, plan, bodies) => {
    expect(messagesTo(plan, person, 'T').map(({ body }) => body)).toEqual(bodies)
  })

  test('a task comes of a score of 22, reached at once or by a correction, and of none below', () => {
    const corrected = (to: number) => ({
      ...{ ...plan, acts: [{ ...weeks(0)[0]!, answers: { phq9: [3, 3, 3, 3, 3, 3, 3, 0, 0], gad7: [] } }] },
      corrections: [{ person, week: 0, instrument: 'phq9' as const, statement: 8, value: to }],
    })
    expect(tasks(corrected(0), 'T')).toEqual([])
    const title = 'T: “PHQ-9, week 1” of participant P-1'
    expect(tasks(corrected(1), 'T')).toEqual([{ participantId: 'P-1', title, day: 15 }])
    const high = { ...evening, week: 0, day: 0, answers: { phq9: [3, 3, 3, 3, 3, 3, 3, 1, 0], gad7: [] } }
    expect(tasks({ ...plan, acts: [high] }, 'T')).toEqual([{ participantId: 'P-1', title, day: 0 }])
  })

  test('progress counts what was open by noon', () => {
    expect(progressAtAmendment(plan, person, 1)).toEqual({ ratioComplete: 1, stagesBehindSchedule: 0 })
    expect(progressAtAmendment(plan, person, 2)).toEqual({ ratioComplete: 0.5, stagesBehindSchedule: 0 })
    const late = { ...plan, acts: weeks(6) } // that evening
    expect(progressAtAmendment(late, person, 2)).toEqual({ ratioComplete: 0, stagesBehindSchedule: 2 })
  })
})

describe('trialbox demo', () => {
  const demo = (...words: string[]) =>
    Bun.spawn([bun, 'src/main.ts', 'demo', '--participants', '6', '--port', '0', '--tls', 'off', ...words], {
      cwd: root,
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, TRIALBOX_DATA: '/nonexistent/and/not/heeded' },
    })

  test('leaves the study running, and it survives in the directory it was given', async () => {
    const data = join(freshFolder(), 'demo')
    const running = demo('--data', data)
    closing.push(() => running.kill('SIGKILL'))
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of running.stdout) if ((text += decoder.decode(piece)).includes('Stop with Ctrl+C')) break
    const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? `nothing matches ${pattern} in ${text}`
    const url = found(/listening +(http:\S+)/)
    const trial = found(/trial +([0-9a-f]{24})/)
    const headers = { Authorization: `Bearer ${found(/API key +(tbk_\S+)/)}` }
    const asked = await fetch(`${url}/trials/${trial}`, { headers })
    expect(await asked.json()).toMatchObject({ participantCount: 6, studyAcronym: 'BRIGHTER' })
    const signedIn = await fetch(`${url}/participants/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: found(/-d '(\{.*?\})'/),
    })
    expect(signedIn.status).toBe(200)
    const moved = await fetch(`${url}/test/clock`, { method: 'PUT', body: JSON.stringify(clockBody(0)) })
    expect(moved.status).toBe(404)
    const logged = await fetch(`${url}/trials/${trial}/logs?userType=participant`, { headers })
    const [latest] = (await logged.json()).entries
    expect(latest.type).toBe('signInParticipant')
    expect(Math.abs(Date.parse(latest.createdAt) - Date.now())).toBeLessThan(3_600_000) // the clock is the machine's again
    running.kill('SIGTERM')
    expect(await running.exited).toBe(0)

    const verified = Bun.spawnSync([bun, 'src/main.ts', 'verify', '--data', data], { cwd: root })
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
    const second = demo('--data', data)
    expect(await new Response(second.stderr).text()).toContain(`${data} holds data already`)
    expect(await second.exited).toBe(1)
  }, 60_000)

  test('writes into no directory that holds something else, and takes a number of participants', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'photos'))
    for (const [words, sentence] of [
      [['--data', folder], 'is not empty'],
      [['--participants=5'], '--participants'],
    ] as const) {
      const refused = demo(...words)
      expect(await new Response(refused.stderr).text()).toContain(sentence)
      expect(await refused.exited).toBe(1)
    }
  }, 30_000)
})
