/** Whoever may write a hidden field, but not read it, does not learn whether they wrote the same again. */
import { expect, test } from 'bun:test'
import { PASSWORD, type Person } from './harness'
import { ofToday } from './proof'
import { differing, exchange, normalised, readEverything, words } from './secrets.exchanges'
import { all, otherwise, type SecretStudy, type Secrets, secretStudy } from './secrets.study'

const MINUTE = 60_000_000
const guess = all.restricted

/** The right answers of one of the two studies, by code. */
const guesses: Record<string, unknown> = {
  hidtext: guess.amended,
  hidnumber: Number(guess.number),
  hidtable: [{ a: guess['table cell'] }],
  piitext: all.pii.text,
  piinumber: Number(all.pii.number),
}

/** The study with a standing signature and marks on all fields of the response, a minute after its last change. */
async function signed(secrets: Secrets) {
  const s = await secretStudy(secrets)
  const { owner, trial, anna, response } = s
  await owner.do('updateTrial', trial, { responseSigningEnabled: true })
  await owner.do('verifyResponse', trial, response)
  const app = await s.signInStaff(owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
  s.clock(MINUTE)
  return s
}

type Guesser = [
  who: string,
  person: (s: SecretStudy) => Person,
  send: (s: SecretStudy, answers: object) => [string, string, unknown],
]

const onTrial = (s: SecretStudy) =>
  s.staff(
    s.trial,
    words.map((key) => `trial.${key}`),
  )
const asStaff = (s: SecretStudy, answers: object): [string, string, unknown] => ['PUT', s.at(7), s.body({ ...answers })]
const asParticipant = (s: SecretStudy, answers: object): [string, string, unknown] => [
  'POST',
  `/participants/trials/${s.trial}/stages/${s.diary}::7/responses`,
  s.body({ ...answers }).response,
]

/** Where an amendment shows to readers. */
const signals = (s: SecretStudy) => [
  `/trials/${s.trial}/participants/${s.anna}/responses`,
  `/trials/${s.trial}/participants/${s.anna}/signatures`,
  `/trials/${s.trial}/stages/${s.diary}/responses`,
  `/trials/${s.trial}/responses`,
  `/trials/${s.trial}/queries`,
  `/trials/${s.trial}/tasks`,
  `/trials/${s.trial}/logs?userType=user`,
  `/trials/${s.trial}/logs?userType=participant`,
]

const guessers: Guesser[] = [
  ['staff of the trial', onTrial, asStaff],
  [
    'staff of the site',
    (s) =>
      s.staff(
        s.trial,
        words.map((key) => `site.${key}`),
        s.site,
      ),
    asStaff,
  ],
  ['the participant’s sign-in', (s) => s.itself, asParticipant],
]

test.each(ofToday(guessers))(
  'a right guess by %s looks as a wrong one to everybody who may not see the answer',
  async (_, person, send) => {
    const responses = async (secrets: Secrets) => {
      const s = await signed(secrets)
      const guesser = person(s)
      const reader = person === onTrial ? guesser : onTrial(s)
      const exchanges = []
      for (const [code, value] of Object.entries(guesses)) {
        for (const answers of [
          { [code]: value },
          { [code]: value, open: 'again' },
          { [code]: null },
          { [code]: null },
        ]) {
          s.clock(MINUTE)
          exchanges.push(await exchange(s, guesser, ...send(s, answers)))
          exchanges.push(await exchange(s, reader, 'GET', `/trials/${s.trial}/responses/${s.response}`))
          exchanges.push(await exchange(s, reader, 'GET', `/trials/${s.trial}/responses/${s.response}/history`))
        }
      }
      await s.service.services.tick()
      for (const url of signals(s)) exchanges.push(await exchange(s, reader, 'GET', url))
      return normalised([...exchanges, ...(guesser === reader ? await readEverything(s, reader) : [])])
    }
    const [right, wrong] = [
      await responses(all),
      await responses({ ...all, restricted: otherwise.restricted, pii: otherwise.pii }),
    ]
    expect(right.filter((text) => / 200 \[\[/.test(text)).length).toBeGreaterThan(60)
    expect(right.flatMap((text, at) => (text === wrong[at] ? [] : [differing(text, wrong[at]!)]))).toEqual([])
  },
  180_000,
)

test('an answer that its field no longer allows is refused, whether it is a right guess or not', async () => {
  for (const secrets of [all, { ...all, restricted: otherwise.restricted }]) {
    const s = await signed(secrets)
    await s.owner.do('updateDataType', s.hidden.hidnumber, { max: 100 })
    const { status } = await onTrial(s).call(...asStaff(s, { hidnumber: Number(guess.number) }))
    expect(status).toBe(400)
    // Somebody who sees the answer may send it back unchanged.
    const same = await s.owner.call(...asStaff(s, { hidnumber: Number(secrets.restricted.number) }))
    expect(same.status).toBe(200)
  }
})

test('what is sent back by somebody who sees it is no change; an unseen field that is sent is one', async () => {
  const s = await signed(all)
  const count = async () => (await s.owner.do('readResponseHistory', s.trial, s.response)).history.length
  const before = await count()
  await s.owner.call(...asStaff(s, { hidtext: guess.amended }))
  expect(await count()).toBe(before)
  expect((await s.owner.do('readResponse', s.trial, s.response)).signatures).toMatchObject([{ valid: true }])
  await onTrial(s).call(...asStaff(s, { hidtext: guess.amended }))
  expect(await count()).toBe(before + 1)
  expect((await s.owner.do('readResponse', s.trial, s.response)).signatures).toMatchObject([{ valid: false }])
  const last = (await s.owner.do('readResponseHistory', s.trial, s.response)).history.at(-1)
  expect(last?.changes).toMatchObject([{ value: guess.amended, replaced: guess.amended }])
})

test('a right guess of a name shows nowhere either', async () => {
  const responses = async (secrets: Secrets) => {
    const s = await secretStudy(secrets)
    const blind = onTrial(s)
    const url = `/trials/${s.trial}/participants/${s.anna}`
    const exchanges = []
    for (const body of [{ name: all.personal.name }, { email: all.personal.email }, { dob: all.personal.born }]) {
      s.clock(MINUTE)
      exchanges.push(await exchange(s, blind, 'PUT', url, body))
    }
    return normalised([...exchanges, ...(await readEverything(s, blind))])
  }
  const [right, wrong] = [await responses(all), await responses({ ...all, personal: otherwise.personal })]
  expect(right.flatMap((text, at) => (text === wrong[at] ? [] : [differing(text, wrong[at]!)]))).toEqual([])
})
