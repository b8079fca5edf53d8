/** Passwords of staff, participants and trials are hashed and compared in the same way. */
import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { Glob } from 'bun'
import { eq } from 'drizzle-orm'
import { participants, teams, trials } from '#db/tables/index'
import { world } from '../../harness'

const verify = spyOn(Bun.password, 'verify')
const hash = spyOn(Bun.password, 'hash')
afterAll(() => {
  verify.mockRestore()
  hash.mockRestore()
})
afterEach(() => {
  verify.mockClear()
  hash.mockClear()
})

/** The hashes made and compared since the last call or test, each by the parameters that make it slow. */
function work(): string[] {
  const compared = verify.mock.calls.map(([, against]) => `${against}`.split('$').slice(1, 4).join(' '))
  const made = hash.mock.calls.map(([, how]) => `hash ${JSON.stringify(how)}`)
  verify.mockClear()
  hash.mockClear()
  return [...compared, ...made]
}

test('only one file hashes and compares passwords', async () => {
  const found: string[] = []
  for (const file of new Glob('**/*.{ts,tsx}').scanSync('src')) {
    if (/Bun\s*\.\s*password|argon2|bcrypt|scrypt/i.test(await Bun.file(`src/${file}`).text())) found.push(file)
  }
  expect(found).toEqual(['accounts/users/passwords.ts'])
})

async function study(change: Partial<typeof trials.$inferInsert> = {}) {
  const w = world()
  const trial = w.trial({ code: 'heart', ...change })
  await w.owner.do('registerParticipants', trial, { participantId: 'OWN', password: 'annas words' })
  await w.owner.do('registerParticipants', trial, { participantId: 'NONE' })
  let count = 0
  const signIn = (body: Record<string, string>) =>
    w
      .person({}, `192.0.2.${++count}`)
      .call('POST', '/participants/sessions', { trialCode: 'heart', participantId: 'NONE', ...body })
  const setPassword = (password: string) => w.owner.do('updateTrial', trial, { password })
  return { ...w, trial, signIn, signInStaff: w.signIn, setPassword }
}

/** One password in several Unicode forms: composed, decomposed, with a ligature, in wide letters. */
const FORMS = ['zw\u00f6lf fische', 'zwo\u0308lf fische', 'zw\u00f6lf \ufb01sche', '\uff5aw\u00f6lf fische']

test.each(FORMS)('a trial password set as %j is accepted in each of its forms', async (set) => {
  const { signIn, setPassword } = await study()
  await setPassword(set)
  for (const password of FORMS) expect((await signIn({ password })).status).toBe(200)
  expect((await signIn({ password: 'zwolf fische' })).status).toBe(401)
})

test.each(FORMS)('a participant’s own password set as %j is accepted in each of its forms', async (set) => {
  const { owner, trial, signIn } = await study()
  await owner.do('registerParticipants', trial, { participantId: 'B-1', password: set })
  for (const password of FORMS) expect((await signIn({ participantId: 'B-1', password })).status).toBe(200)
})

test('a trial password that was hashed without normalisation, at another cost, is still accepted as it was typed', async () => {
  const { db, trial, signIn } = await study()
  for (const typed of FORMS) {
    const passwordHash = await Bun.password.hash(typed, { algorithm: 'argon2id', memoryCost: 4_096, timeCost: 3 })
    db.update(trials).set({ passwordHash }).where(eq(trials._id, trial)).run()
    expect((await signIn({ password: typed })).status).toBe(200)
    expect((await signIn({ password: `${typed}!` })).status).toBe(401)
  }
})

test('a hash of a normalised password is never compared with a password that is not normalised', async () => {
  const { signIn, setPassword } = await study()
  await setPassword(FORMS[0]!)
  work()
  await signIn({ password: `${FORMS[1]}!` })
  expect(work()).toHaveLength(2)
})

const STUDIES = {
  'a trial with a password': {},
  'a trial without a password': { password: null },
  'a trial open to registration, with a password': { restrictRegistration: false },
}
const FAILING = {
  'a code that does not exist': { trialCode: 'lung' },
  'an ID that does not exist': { participantId: 'nobody' },
  'a participant with an own password': { participantId: 'OWN' },
  'a participant without an own password': { participantId: 'NONE' },
}

test.each(Object.entries(STUDIES))(
  '%s: every failed sign-in costs the same',
  async (_, {
    password,
    ...change
  }: {
    password?: null
    restrictRegistration?: boolean
  }) => {
    const { signIn, setPassword } = await study(change)
    if (password !== null) await setPassword('everyone')
    work()
    const costs = new Map<string, string[]>()
    for (const [name, body] of Object.entries(FAILING)) {
      expect((await signIn({ password: 'wrong words', ...body })).status).toBe(401)
      costs.set(name, work())
    }
    const twice = ['argon2id v=19 m=19456,t=2,p=1', 'argon2id v=19 m=19456,t=2,p=1']
    expect(Object.fromEntries(costs)).toEqual(Object.fromEntries(Object.keys(FAILING).map((name) => [name, twice])))
  },
)

test('a failed registration costs as much as a sign-in with an unknown code', async () => {
  const { db, trial, signIn } = await study({ restrictRegistration: false })
  await signIn({ trialCode: 'lung', password: 'mine' })
  const unknown = work().filter((each) => !each.startsWith('hash'))
  const fail = async (participantId = 'new') => {
    expect((await signIn({ participantId, password: 'mine' })).status).toBe(401)
    expect(work()).toEqual(unknown)
  }
  await fail(' ')
  db.update(teams).set({ participantLimit: 2 }).run()
  await fail()
  db.update(teams).set({ participantLimit: null }).run()
  db.update(trials).set({ isDatabaseLocked: true }).where(eq(trials._id, trial)).run()
  await fail()
  expect(db.select().from(participants).all()).toHaveLength(2)
})

test('the stored hashes of trials, participants and accounts have the same cost', async () => {
  const { owner, trial, setPassword, signIn, signInStaff } = await study({ restrictRegistration: false })
  await setPassword('everyone')
  await owner.do('registerParticipants', trial, { participantId: 'B-1', password: 'bobs words' })
  await signIn({ participantId: 'new', password: 'everyone' })
  await signInStaff(owner)
  const made = work().filter((each) => each.startsWith('hash'))
  expect(made.length).toBe(5)
  expect(new Set(made)).toEqual(new Set(['hash {"algorithm":"argon2id","memoryCost":19456,"timeCost":2}']))
})
