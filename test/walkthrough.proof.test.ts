import { afterEach, describe, expect, test } from 'bun:test'
import { read, utils, write } from 'xlsx'
import { checks } from '#cli/checks'
import type { Send } from '#cli/walkthrough/client'
import { messagesTo, peopleWithAgeQuery, tasks } from '#cli/walkthrough/expected'
import type { Mail } from '#cli/walkthrough/messages'
import { planStudy } from '#cli/walkthrough/plan'
import { nextMidnight, runStudy, type Size } from '#cli/walkthrough/study'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { testClock } from '#server/testing/clock'
import { newestMessages } from '#server/testing/store'
import { makeTestOwner } from '#server/testing/world'
import { program } from '#start/program'
import { hashCheaply } from './passwords'
import { freshFolder } from './server/process/folder'

hashCheaply()

const SIZE = { participants: 6, weeks: 2, seed: 5 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A service on a free port, whose clock the study moves. @param send sends its requests */
async function study(size: Size, send?: Send) {
  const clock = testClock(systemClock)
  const faults: unknown[] = []
  const service = openService(program, {
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
  const outbox = async () => newestMessages(service.services.db, 10_000)
  const environment = { url, ...owner, start: nextMidnight(clock.now()), moveTo, outbox, ...(send ? { send } : {}) }
  const outcome = runStudy(environment, size, (line) => lines.push(line))
  return { environment, outcome, lines, faults, services: service.services }
}

/** The name of a request, without the passwords that each study makes anew. */
const nameOf = (url: string, { method, headers, body }: RequestInit) =>
  JSON.stringify([method, url, headers, `${body}`.replace(/"password":"[^"]*"/, '')])

/** Sends one request after the other, so that a study always sends them in the same order. */
function oneByOne(send: Send): Send {
  let last: Promise<unknown> = Promise.resolve()
  return (url, init) => {
    const answer = last.then(() => send(url, init))
    // Whoever waits for the answer sends what follows from it first.
    last = answer.then(() => new Promise((next) => setImmediate(next)))
    return answer
  }
}

/** A true study, and the answers to its requests: a false one is this study with another answer, and needs no service again. */
async function recorded() {
  const answers = new Map<string, Response[]>()
  const send: Send = async (url, init) => {
    const response = await fetch(url, init)
    const answer = new Response(await response.bytes(), { status: response.status, headers: response.headers })
    const name = nameOf(url, init)
    answers.set(name, [...(answers.get(name) ?? []), answer.clone()])
    return answer
  }
  const { environment, outcome } = await study(SIZE, oneByOne(send))
  await outcome
  return { environment, answers, mails: await environment.outbox() }
}
let record: ReturnType<typeof recorded> | undefined

type Falsification = { send?: (send: Send) => Send; mails?: (all: Mail[]) => Mail[] }

/** The recorded study again, with answers that `send` changes, and with other mails in the outbox. */
async function rerunRecord({ send = (all) => all, mails = (all) => all }: Falsification) {
  const { environment, answers, mails: sent } = await (record ??= recorded())
  const asked = new Map<string, number>()
  const answer: Send = async (url, init) => {
    const name = nameOf(url, init)
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    const response = answers.get(name)?.[times]
    if (!response) throw new Error(`Nothing was recorded of ${name} for the time ${times + 1}.`)
    return response.clone()
  }
  const outbox = async () => mails(sent)
  return runStudy({ ...environment, moveTo: async () => {}, outbox, send: oneByOne(send(answer)) }, SIZE, () => {})
}

/** Changes certain answers. */
const falsify =
  (path: RegExp, change: (answer: Response) => Promise<BodyInit>) =>
  (send: Send): Send =>
  async (url, init) => {
    const response = await send(url, init)
    if (init.method !== 'GET' || !path.test(url)) return response
    return new Response(await change(response), { status: response.status, headers: response.headers })
  }

const replaceText = (what: RegExp, by: string) => async (answer: Response) => (await answer.text()).replace(what, by)

/** Another score in the first row of the second sheet. */
async function changeScore(answer: Response): Promise<BodyInit> {
  const book = read(await answer.arrayBuffer(), { type: 'array' })
  const sheet = book.Sheets[book.SheetNames[1]!]!
  const [head] = utils.sheet_to_json<string[]>(sheet, { header: 1 })
  const cell = utils.encode_cell({ r: 1, c: head!.indexOf('score') })
  sheet[cell].v += 1
  return write(book, { type: 'buffer', bookType: 'xlsx' })
}

/** Changes a byte near the end of a file that contains a word; other files stay as they are. */
const alterByte = (word: string) => async (answer: Response) => {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.includes(word)) bytes[bytes.length - 1]! ^= 1
  return bytes
}

/** The reason why a study failed. `rejects` of Bun would block the server, which is in this process. */
const reasonOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'it was passed',
    (fault) => String(fault.message),
  )

describe('a small study', () => {
  test('has the expected results, from the first visit to csv and xlsx', async () => {
    const size = { ...SIZE, participants: 110 } // enough for the amendment and the notification to need jobs
    const { outcome, lines, faults, services } = await study(size)
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
    expect(peopleWithAgeQuery(plan).length).toBeGreaterThan(0)
    for (const each of [counts.messages, counts.tasks, counts.queries, corrections.length])
      expect(each).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('by a job for 110 participants')
    expect(counts.comparisons).toBeGreaterThan(counts.responses!)
    expect(lines.at(-1)).toContain('all results match what was sent')
    expect(faults).toEqual([])
    for (const check of checks) expect(check.run(services.db.$client)).not.toBe('')
  }, 180_000)

  const lies: [string, RegExp, (answer: Response) => Promise<BodyInit>, RegExp][] = [
    [
      'a row is missing from the csv',
      /type=csv/,
      replaceText(/\\r\\n[^\\]*(\\r\\n)?"\}$/, '"}'),
      /the rows of the csv/,
    ],
    ['a score of the csv is another', /type=csv/, replaceText(/,(\d+),(true|false),/, ',99,$2,'), /in the csv: /],
    ['a score of the workbook is another', /\/storage\//, changeScore, /in the sheet of phq9: /],
    [
      'nobody is behind schedule',
      /participants\?/,
      replaceText(/"stagesBehindSchedule":[1-9]/g, '"stagesBehindSchedule":0'),
      /the progress of/,
    ],
    [
      'the history keeps no note',
      /\/history$/,
      replaceText(/"updateNote":"[^"]*",?/, ''),
      /the history of a correction/,
    ],
    [
      'a message was sent twice',
      /logs\/communication/,
      replaceText(/"messages":\[(\{[^}]*\})/, '"messages":[$1,$1'),
      /the messages to/,
    ],
    [
      'a message was sent to another participant',
      /logs\/communication/,
      replaceText(/"recipient":"\+447/, '"recipient":"+448'),
      /the messages to/,
    ],
    ['a task is about another', /\/tasks$/, replaceText(/of participant /, 'of '), /the tasks/],
    ['a task is not done', /\/tasks$/, replaceText(/"status":"completed"/, '"status":"pending"'), /the tasks once/],
    [
      'no query about an age was raised',
      /\/queries\?/,
      replaceText(/"rule":"instruction"/g, '"rule":"unit"'),
      /whose age/,
    ],
    ['a query is shown as open', /\/queries\?/, replaceText(/"status":"closed"/, '"status":"open"'), /the queries/],
    [
      'a casebook is shown as complete',
      /casebooks$/,
      replaceText(/"isComplete":false/, '"isComplete":true'),
      /the casebooks/,
    ],
    ['the locked dataset is another', /\/storage\//, alterByte('MANIFEST'), /the SHA-256 of the locked dataset/],
    [
      'a stage changed that was not amended',
      /against=/,
      replaceText(/\]\.recurringDuration/, '].recurringFrequency'),
      /what the amendment changed/,
    ],
    ['the log has lost an entry', /logs\?type=submitResponse$/, replaceText(/"total":\d+/, '"total":1'), /in the log/],
  ]
  test.each(lies)(
    'fails if %s',
    async (_, path, change, sentence) => {
      expect(await reasonOf(rerunRecord({ send: falsify(path, change) }))).toMatch(sentence)
    },
    180_000,
  )
})

test('a small study fails if a nurse got no e-mail about a query', async () => {
  const outcome = rerunRecord({ mails: (all) => all.filter(({ subject }) => !subject?.endsWith('a query for you')) })
  expect(await reasonOf(outcome)).toContain('the e-mails to staff')
}, 180_000)

test('a study of which only the record is left is passed', async () => {
  expect(await reasonOf(rerunRecord({}))).toBe('it was passed')
}, 180_000)
