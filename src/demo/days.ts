/** The days of the study: staff work in the morning, participants fill in their forms in the evening. */
import { newSecret } from '../kernel/id'
import { bearer, type Client, forEach } from './client'
import { CALL, CALL_FROM } from './instruments'
import { enter, type StageKey, scored, stageTitle } from './ledger'
import type { Act, Answers, Person } from './plan'
import type { Study } from './study'

/** A participant who was registered. */
export type Member = {
  person: Person
  _id: string
  /** Undefined for those who come with a link. */
  password: string | undefined
  app: Client
  state: 'active' | 'withdrawn' | 'archived'
}

type At = (day: number, hour: number) => Promise<void>

/** How many sign in from one address within a minute: the service takes no more than 60. */
const AT_ONCE = 50

/** A day of the study. @param at puts the clock to an hour of a day */
export async function passDay(study: Study, day: number, at: At): Promise<void> {
  const today = study.plan.acts.filter((act) => act.day === day)
  const newcomers = study.plan.people.filter(({ enrolsOn }) => enrolsOn === day)
  const acts = (when: Act['when']) => today.filter((act) => act.when === when)
  await at(day, 9)
  for (let first = 0; first < newcomers.length; first += AT_ONCE) {
    if (first) await at(day, 9 + first / AT_ONCE / 60)
    await enrol(study, newcomers.slice(first, first + AT_ONCE))
  }
  if (day === 0) await refuseStrangers(study)
  await forEach(acts('morning'), (act) => perform(study, act))
  await at(day, 18)
  await forEach(acts('evening'), (act) => perform(study, act))
}

const participants = ({ trial }: Study) => `/trials/${trial._id}/participants`

/** Nurses register who comes to their site and hold the first visit; the office allocates them; then they sign in. */
async function enrol(study: Study, people: readonly Person[]): Promise<void> {
  const { trial, owner, nobody, witness } = study
  const newcomers: Member[] = []
  for (const [site, nurse] of trial.nurses.entries()) {
    const here = people.filter((person) => person.site === site)
    if (!here.length) continue
    const batch = here.map(({ participantId, comesBy }) => ({
      participantId,
      ...(comesBy === 'password' ? { password: newSecret().slice(0, 12) } : {}),
    }))
    const { participants: made } = await nurse.post(participants(study), { participants: batch })
    for (const [n, person] of here.entries()) {
      witness.agree(
        'a registered participant',
        [made[n].id, made[n].sites],
        [person.participantId, [trial.sites[site]]],
      )
      newcomers.push({ person, _id: made[n]._id, password: batch[n]!.password, app: nobody, state: 'active' })
    }
  }
  await owner.patch(participants(study), {
    updates: newcomers.map(({ _id, person }) => ({ participant: _id, groups: [trial.arms[person.arm]] })),
  })
  await forEach(newcomers, async (member) => {
    await holdVisit(study, member)
    member.app = nobody.as(bearer(await signIn(study, member)))
    study.members.set(member.person.participantId, member)
  })
}

async function signIn({ trial, owner, nobody }: Study, { _id, person, password }: Member): Promise<string> {
  const { participantId } = person
  if (password)
    return (await nobody.post('/participants/sessions', { trialCode: trial.code, participantId, password })).token
  const { url } = await owner.post(`/trials/${trial._id}/participants/${_id}/grants`, { expiresInDays: 1 })
  const grant = new URL(url).searchParams.get('grant')
  return (await nobody.post('/participants/grants/exchange', { grant })).token
}

async function holdVisit(study: Study, member: Member): Promise<void> {
  const { sex, birthYear, postcode, height, weight } = member.person
  const bmi = Math.round((weight / (height / 100) ** 2) * 10) / 10
  const answers = { sex: [sex], birth_year: birthYear, postcode, body: { height, weight } }
  const stored = await enterAsNurse(study, member, 'enrolment', undefined, answers)
  study.witness.agree('the BMI', stored.response[study.trial.fields.body!].value, { bmi, height, weight })
  study.witness.agree('the postcode, to a nurse', stored.response[study.trial.fields.postcode!], undefined)
  const columns = { sex, birth_year: birthYear, postcode, body_bmi: bmi, body_height: height, body_weight: weight }
  const { _id: response } = stored
  enter(study.ledger, { person: member.person, stage: 'enrolment', n: 0, response, columns, score: undefined }, 'user')
}

/** Answers by code, as they are sent. */
const sent = ({ trial }: Study, answers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(answers).map(([code, value]) => [trial.fields[code]!, { value }]))

export const rows = (values: readonly number[]) => Object.fromEntries(values.map((value, n) => [`q${n + 1}`, value]))

/** The path of an occurrence of a weekly stage, or of a stage that has only one. */
const occurrence = ({ trial }: Study, stage: StageKey, week: number | undefined) =>
  week === undefined ? trial.stages[stage] : `${trial.stages[stage]}::${week}`

const enterAsNurse = (
  study: Study,
  { _id, person }: Member,
  stage: StageKey,
  week: number | undefined,
  answers: Record<string, unknown>,
) =>
  study.trial.nurses[person.site]!.put(`${participants(study)}/${_id}/responses/${occurrence(study, stage, week)}`, {
    response: sent(study, answers),
  })

const WEEKLY = ['phq9', 'gad7'] as const

async function perform(study: Study, act: Act): Promise<void> {
  const member = study.members.get(act.person.participantId)!
  switch (act.kind) {
    case 'answer':
      return answer(study, member, act.week, act.answers, act.isWrongAtFirst)
    case 'tooLate':
    case 'withdrawn':
      return refuseSubmission(study, member, act.week)
    case 'telephone':
      return telephone(study, member, act.week, act.answers)
    case 'adverse':
      return reportEvent(study, member, act)
    case 'withdraw': {
      const nurse = study.trial.nurses[member.person.site]!
      await nurse.put(`${participants(study)}/${member._id}`, { isWithdrawn: true })
      member.state = 'withdrawn'
      return
    }
    case 'archive':
      await study.owner.patch(participants(study), { updates: [{ participant: member._id, isArchived: true }] })
      member.state = 'archived'
      await member.app.refused(401, 'GET', '/participants/me')
      study.ledger.refusals++
  }
}

const own = ({ trial }: Study) => `/participants/trials/${trial._id}/stages`

/** A participant opens the app, finds both forms of the week open, and fills them in. */
async function answer(study: Study, { app, person }: Member, week: number, answers: Answers, isWrong: boolean) {
  const { stages } = await app.get(own(study))
  for (const code of WEEKLY) {
    const path = occurrence(study, code, week)
    const shown = stages.find(({ _id }: { _id: string }) => _id === path)
    const title = stageTitle[code](week)
    study.witness.agree(`${title} in the app`, [shown?.name, shown?.enabled, shown?.completed], [title, true, false])
    if (isWrong) {
      const wrong = { [code]: { ...rows(answers[code]), q1: 7 } }
      await app.refused(400, 'POST', `${own(study)}/${path}/responses`, sent(study, wrong))
      study.ledger.refusals++
    }
    const receipt = await app.post(`${own(study)}/${path}/responses`, sent(study, { [code]: rows(answers[code]) }))
    const { columns, score } = scored(code, answers[code])
    const messages = score >= CALL_FROM ? [CALL] : []
    study.witness.agree(`the receipt of ${title}`, [receipt.score, receipt.onScreenMessages], [score, messages])
    enter(study.ledger, { person, stage: code, n: week, response: receipt._id, columns, score }, 'participant')
  }
}

/** The window has closed, or the participant has withdrawn: the app is refused, staff are not. */
async function refuseSubmission(study: Study, { app }: Member, week: number): Promise<void> {
  const path = `${own(study)}/${occurrence(study, 'phq9', week)}/responses`
  await app.refused(403, 'POST', path, sent(study, { phq9: rows(new Array(9).fill(0)) }))
  study.ledger.refusals++
}

/** The nurse asks on the telephone what was not filled in in time. */
async function telephone(study: Study, member: Member, week: number, answers: Answers): Promise<void> {
  for (const code of WEEKLY) {
    const stored = await enterAsNurse(study, member, code, week, { [code]: rows(answers[code]) })
    const { columns, score } = scored(code, answers[code])
    study.witness.agree('the score of a telephone visit', stored.score, score)
    enter(study.ledger, { person: member.person, stage: code, n: week, response: stored._id, columns, score }, 'user')
  }
}

/** A nurse reports an adverse event. Her connection is bad, so the report is sent twice; it is kept once. */
async function reportEvent(study: Study, { _id, person }: Member, event: Extract<Act, { kind: 'adverse' }>) {
  const { term, severity, isSerious } = event
  const reason: Record<string, string> = isSerious ? { ae_reason: 'Kept the participant from work for a week.' } : {}
  const answers = { ae_term: term, ae_severity: [severity], ae_serious: [isSerious ? 'Yes' : 'No'], ...reason }
  const path = `${participants(study)}/${_id}/responses/${study.trial.stages.adverse}`
  const nurse = study.trial.nurses[person.site]!
  const key = { 'Idempotency-Key': `${_id} ${event.day}` }
  const body = { response: sent(study, answers) }
  const { body: stored } = await nurse.answered('PUT', path, body, key)
  const { body: again } = await nurse.answered('PUT', path, body, key)
  study.witness.agree('a report that was sent twice', again._id, stored._id)
  const columns = { ae_term: term, ae_severity: severity, ae_serious: isSerious ? 'Yes' : 'No', ...reason }
  const { _id: response, stageRecurrence: n } = stored
  enter(study.ledger, { person, stage: 'adverse', n, response, columns, score: undefined }, 'user')
}

/** What must not be possible: a wrong password, an ID twice, another site's participant, more than a role holds. */
async function refuseStrangers(study: Study): Promise<void> {
  const { trial, nobody, owner, witness, members, ledger } = study
  const [first, ...others] = [...members.values()]
  const stranger = others.find(({ person }) => person.site !== first!.person.site)!
  const nurse = trial.nurses[first!.person.site]!
  const { participantId } = first!.person
  await nobody.refused(401, 'POST', '/participants/sessions', { trialCode: trial.code, participantId, password: 'no' })
  const twice = [{ participantId: 'NEW-001' }, { participantId: participantId.toLowerCase() }]
  await owner.refused(400, 'POST', participants(study), { participants: twice })
  await nurse.refused(404, 'GET', `${participants(study)}/${stranger._id}`)
  await nurse.refused(403, 'DELETE', `${participants(study)}/${first!._id}`, { reason: 'Only to see whether I may.' })
  await first!.app.refused(401, 'GET', `/trials/${trial._id}`)
  ledger.refusals += 5
  const { total } = await owner.get(participants(study))
  witness.agree('participants after a refused batch', total, members.size)
}
