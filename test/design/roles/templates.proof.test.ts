/** Ready-made roles: what each can do, what it cannot, and what it never sees (docs/permissions.md, "Ready-made roles"). */
import { describe, expect, test } from 'bun:test'
import { roleTemplates, type TemplateName, templateNames } from '#design/roles/templates'
import { MINUTE } from '#kernel/time'
import { PASSWORD, sharedInFile } from '../../harness'
import { type ArmStudy, armSecrets, armStudy, armUrls } from '../../secrets.arms.study'
import { disclosed, exchange, readEverything } from '../../secrets.exchanges'
import { trialSecrets } from '../../secrets.study'

const shared = sharedInFile(armStudy)

/** A new person with a role of this template on the trial or a place, made and given over HTTP. */
async function personWith(s: ArmStudy, template: TemplateName, places?: string[]) {
  const role = await s.owner.do('createRole', s.trial, { template, ...(places ? { places } : {}) })
  const person = s.invite([])
  await s.owner.do('assignRole', person._id, role._id)
  return person
}

type Request = [what: string, method: string, path: (s: ArmStudy) => string, body?: (s: ArmStudy) => unknown]

const base = (s: ArmStudy) => `/trials/${s.trial}`
const enter: Request = ['enter answers', 'PUT', (s) => s.url(s.bert), (s) => s.bodies[ENTER] ?? { response: {} }]
const ENTER = 'PUT /trials/:trialId/participants/:participantId/responses/:stageId'
const raise: Request = [
  'raise a query',
  'POST',
  (s) => `${base(s)}/queries`,
  (s) => ({ response: s.response, text: 'Why?' }),
]
const verify: Request = ['mark fields', 'POST', (s) => `${base(s)}/responses/${s.response}/validations`]
const setStatus: Request = [
  'set a status',
  'PUT',
  (s) => `${base(s)}/responses/${s.response}/status`,
  () => ({ status: 'successful' }),
]
const planVisit: Request = [
  'plan a monitoring visit',
  'POST',
  (s) => `/sites/${s.site}/site-monitoring`,
  () => ({ id: `V-${Math.random()}`, status: 'pending' }),
]
const readAnswers: Request = ['read answers', 'GET', (s) => `${base(s)}/responses/${s.response}`]
const exportAll: Request = ['export answers', 'GET', (s) => `${base(s)}/responses?type=csv`]
const readLog: Request = ['read the log', 'GET', (s) => `${base(s)}/logs`]
const listPacks: Request = ['list packs', 'GET', (s) => `${base(s)}/packs`]
const addType: Request = [
  'make pack types',
  'POST',
  (s) => `${base(s)}/pack-types`,
  () => ({ name: `T ${Math.random()}` }),
]
const readList: Request = ['read the list', 'GET', (s) => `/randomisations/${s.randomisation}/list`]
const readForms: Request = ['read the data types', 'GET', (s) => `${base(s)}/data-types`]
const changeForm: Request = ['change a form', 'PUT', (s) => `/stages/${s.params.stageId}`, () => ({ name: 'Mine' })]
const addRole: Request = ['make a role', 'POST', (s) => `${base(s)}/roles`, () => ({ name: 'Mine' })]
const remove: Request = [
  'delete a response',
  'DELETE',
  (s) => `${base(s)}/responses/${s.response}`,
  () => ({ reason: 'Mine' }),
]
const register: Request = [
  'register a participant',
  'POST',
  (s) => `${base(s)}/participants`,
  () => ({ participantId: `P-${Math.random()}`.slice(0, 20) }),
]
const readConsents: Request = ['read consents', 'GET', (s) => `${base(s)}/consents`]
// By somebody who has confirmed their identity: refused (400) in this study, where signing is off, if the permission is there.
const sign: Request = [
  'sign',
  'POST',
  (s) => `${base(s)}/signatures`,
  (s) => ({ participant: s.anna, meaning: 'Seen' }),
]
const unblind: Request = [
  'unblind a participant',
  'POST',
  (s) => `/randomisations/${s.randomisation}/allocations/${s.params.allocationId}/unblinding`,
  () => ({ participantId: 'P-1', reason: 'An emergency.' }),
]
const dispense: Request = [
  'dispense packs',
  'POST',
  (s) => `/randomisations/${s.randomisation}/dispensations`,
  (s) => ({ participant: s.anna }),
]
const lock: Request = [
  'lock the database',
  'PUT',
  base,
  () => ({ isDatabaseLocked: true, databaseLockJustification: 'All data are in.' }),
]

type Hidden = keyof typeof trialSecrets | 'arms'
type Expected = { can: Request[]; cannot: Request[]; neverSees: Hidden[] }

const nobody = [changeForm, addRole, remove]
/** What only pharmacists do. */
const pharmacy = new Set<TemplateName>(['pharmacistBlinded', 'pharmacistUnblinded'])

const expected: Record<TemplateName, Expected> = {
  investigator: {
    can: [enter, raise, register, readForms, listPacks, sign, unblind],
    cannot: [...nobody, verify, setStatus, planVisit, exportAll, readLog, readList, addType, lock],
    neverSees: ['arms'],
  },
  coordinator: {
    can: [enter, raise, register, readForms, readConsents, listPacks],
    cannot: [...nobody, sign, unblind, verify, setStatus, planVisit, exportAll, readLog, readList, addType, lock],
    neverSees: ['arms', 'restricted'],
  },
  researchNurse: {
    can: [enter, raise, readForms, readAnswers],
    cannot: [...nobody, sign, unblind, register, readConsents, verify, planVisit, exportAll, readLog, readList, lock],
    neverSees: ['arms', 'restricted'],
  },
  dataManager: {
    can: [enter, raise, setStatus, exportAll, readLog, readForms, lock],
    cannot: [...nobody, sign, unblind, verify, register, planVisit, readConsents, readList, addType],
    neverSees: ['arms', 'personal', 'pii'],
  },
  monitor: {
    can: [raise, verify, setStatus, planVisit, readAnswers, readForms],
    cannot: [...nobody, enter, sign, unblind, register, readConsents, exportAll, readLog, readList, addType, lock],
    neverSees: ['arms', 'personal', 'pii', 'restricted'],
  },
  pharmacistBlinded: {
    can: [listPacks, dispense],
    cannot: [...nobody, enter, readAnswers, raise, sign, unblind, exportAll, readLog, readList, addType, lock],
    neverSees: ['arms', 'personal', 'pii', 'restricted'],
  },
  pharmacistUnblinded: {
    can: [listPacks, dispense, readList, addType, unblind],
    cannot: [...nobody, enter, readAnswers, raise, sign, exportAll, readLog, lock],
    neverSees: ['personal', 'pii', 'restricted'],
  },
  statisticianBlinded: {
    can: [readAnswers, exportAll, readForms],
    cannot: [...nobody, enter, raise, verify, sign, unblind, readLog, readList, addType, lock],
    neverSees: ['arms', 'personal', 'pii', 'restricted'],
  },
  statisticianUnblinded: {
    can: [readAnswers, exportAll, readForms, readList, unblind],
    cannot: [...nobody, enter, raise, verify, sign, readLog, addType, lock],
    neverSees: ['personal', 'pii', 'restricted'],
  },
  medicalMonitor: {
    can: [readAnswers, raise, readForms, unblind],
    cannot: [...nobody, enter, verify, setStatus, sign, planVisit, exportAll, readLog, readList, addType, lock],
    neverSees: ['arms', 'personal', 'pii'],
  },
  coder: {
    can: [readAnswers, raise, readForms],
    cannot: [
      ...nobody,
      enter,
      verify,
      setStatus,
      sign,
      unblind,
      planVisit,
      exportAll,
      readLog,
      readList,
      addType,
      lock,
    ],
    neverSees: ['arms', 'personal', 'pii', 'restricted'],
  },
  sponsor: {
    can: [readAnswers, readForms, readLog],
    cannot: [...nobody, enter, raise, verify, setStatus, sign, unblind, planVisit, exportAll, readList, addType, lock],
    neverSees: ['arms', 'personal', 'pii', 'restricted'],
  },
  inspector: {
    can: [readAnswers, readForms, readLog, exportAll, readConsents],
    cannot: [...nobody, enter, raise, verify, setStatus, sign, unblind, planVisit, register, readList, addType, lock],
    neverSees: ['arms'],
  },
}

/** The person in the web app, with a fresh confirmation. */
async function confirmed(s: ArmStudy, who: { _id: string; email: string }) {
  const app = await s.signInStaff(who)
  await app.do('confirmIdentity', { password: PASSWORD })
  return app
}

/** What a request gives: `may`, also if only a fresh confirmation is missing, or `may not`. */
async function allowed(s: ArmStudy, by: Awaited<ReturnType<typeof personWith>>, [what, method, path, body]: Request) {
  const caller = what === 'sign' ? await confirmed(s, by) : by
  const { status, body: answer } = await caller.call(method, path(s), body?.(s))
  const isOff = what === 'sign' && status === 400 && answer.message.includes('responseSigningEnabled')
  const isPermitted = status === 200 || isOff || answer.details?.code === 'reauth'
  const isRefused = (status === 403 && answer.details?.needs !== undefined) || status === 404
  return `${isPermitted ? 'may' : isRefused ? 'may not' : `${status} ${JSON.stringify(answer)}`} ${what}`
}

describe.each(templateNames.map((name) => [name, expected[name]] as const))(
  '%s',
  (template, { can, cannot, neverSees }) => {
    test('can and cannot', async () => {
      const s = await shared()
      s.clock(MINUTE) // rate limits count by minute
      const person = await personWith(s, template)
      for (const request of can) expect(await allowed(s, person, request)).toBe(`may ${request[0]}`)
      const never = pharmacy.has(template) ? cannot : [...cannot, dispense]
      for (const request of never) expect(await allowed(s, person, request)).toBe(`may not ${request[0]}`)
    })

    test('never sees', async () => {
      const s = await shared()
      s.clock(MINUTE)
      const person = await personWith(s, template)
      const exchanges = await readEverything(s, person)
      for (const url of armUrls(s)) exchanges.push(await exchange(s, person, 'GET', url))
      // What somebody asked for in the path or the query may stand in the refusal.
      const answers = exchanges.filter(({ request }) => !request.includes('term='))
      const { 'name of who is gone': _, ...personal } = trialSecrets.personal
      const secrets = { ...trialSecrets, personal, arms: armSecrets }
      for (const kind of neverSees) expect([kind, disclosed(answers, secrets[kind])]).toEqual([kind, []])
      if (!neverSees.includes('arms')) expect(disclosed(answers, { arm: armSecrets.arm })).not.toEqual([])
      if (!neverSees.includes('personal')) expect(disclosed(answers, { name: personal.name })).not.toEqual([])
    }, 180_000)
  },
)

test('the templates are listed as roles get them, and a role may hold on some sites only', async () => {
  const s = await shared()
  const { templates } = await s.owner.do('listRoleTemplates')
  expect(templates.map(({ template }) => template)).toEqual(templateNames)
  for (const { template, name, description, permissions } of templates) {
    const role = await s.owner.do('createRole', s.trial, { template })
    expect(role).toMatchObject({ name, description, permissions: { [s.trial]: permissions } })
  }
  const local = await s.owner.do('createRole', s.trial, {
    template: 'monitor',
    name: 'Monitor of the north',
    places: [s.site],
  })
  const words = roleTemplates.monitor.keys.map((key) => `site.${key}`)
  expect(local).toMatchObject({ name: 'Monitor of the north', permissions: { [s.site]: words } })
  expect((await (await personWith(s, 'coder')).do('listRoleTemplates')).templates.length).toBe(templateNames.length)
  expect((await s.nobody.call('GET', '/role-templates')).status).toBe(401)
})

test.each([
  [{ template: 'director' }, ['template', 'name']],
  [{ template: 'monitor', name: '\ud800' }, ['name']],
  [{ template: 'monitor', permissions: {} }, ['permissions']],
  [{ template: 'monitor', places: [] }, ['places']],
  [{ template: 'monitor', places: ['0'.repeat(24)] }, ['places']],
  [{ template: 'statisticianUnblinded', places: 'site' }, ['places']],
])('refuses the template %j', async (body, fields) => {
  const s = await shared()
  const sent = 'places' in body && body.places === 'site' ? { ...body, places: [s.site] } : body
  const { status, body: answer } = await s.owner.call('POST', `/trials/${s.trial}/roles`, sent)
  expect(status).toBe(422)
  expect(fields).toContain(Object.keys(answer.validations.json)[0]!)
})
