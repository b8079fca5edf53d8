/** The days of the study: staff work in the morning, participants fill in their forms in the evening. */
import { amend } from './amendment'
import { forEach } from './client'
import { checkRefusals, enrol } from './enrolment'
import { enterAsNurse, occurrence, participants, statementAnswers, submissionOf } from './entry'
import { CALL, CALL_FROM } from './instruments'
import type { Member, Study } from './model'
import type { Act, Answers } from './plan'
import { recordResponse, scoreAnswers, stageTitle } from './record'

type MoveClock = (day: number, hour: number) => Promise<void>

/** How many participants sign in from one address within a minute: the service allows no more than 60. */
const AT_ONCE = 50

/** Performs all acts of one day of the study. @param at sets the clock to an hour of a day */
export async function passDay(study: Study, day: number, at: MoveClock): Promise<void> {
  const today = study.plan.acts.filter((act) => act.day === day)
  const newcomers = study.plan.people.filter(({ enrolsOn }) => enrolsOn === day)
  const acts = (when: Act['when']) => today.filter((act) => act.when === when)
  await at(day, 9)
  for (let first = 0; first < newcomers.length; first += AT_ONCE) {
    if (first) await at(day, 9 + first / AT_ONCE / 60)
    await enrol(study, newcomers.slice(first, first + AT_ONCE))
  }
  if (day === 0) await checkRefusals(study)
  await forEach(acts('morning'), (act) => perform(study, act))
  if (day === study.plan.amendedOn) {
    await at(day, 12)
    study.recalculated = await amend(study, () => at(day, 12.1))
  }
  await at(day, 18)
  await forEach(acts('evening'), (act) => perform(study, act))
}

const WEEKLY = ['phq9', 'gad7'] as const

async function perform(study: Study, act: Act): Promise<void> {
  const member = study.members.get(act.person.participantId)!
  switch (act.kind) {
    case 'answer':
      return answer(study, member, act.week, act.answers, act.isWrongAtFirst)
    case 'tooLate':
    case 'withdrawn':
      return checkSubmissionRefused(study, member, act.week)
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
      await member.app.expectRefusal(401, 'GET', '/participants/me')
      study.record.refusals++
  }
}

const stagesPath = ({ trial }: Study) => `/participants/trials/${trial._id}/stages`

/** A participant opens the app, sees both forms of the week open, and fills them in. */
async function answer(study: Study, { app, person }: Member, week: number, answers: Answers, isWrong: boolean) {
  const { stages } = await app.get(stagesPath(study))
  for (const code of WEEKLY) {
    const path = occurrence(study, code, week)
    const shown = stages.find(({ _id }: { _id: string }) => _id === path)
    const title = stageTitle[code](week)
    study.checks.equal(`${title} in the app`, [shown?.name, shown?.enabled, shown?.completed], [title, true, false])
    if (isWrong) {
      const wrong = { [code]: { ...statementAnswers(answers[code]), q1: 7 } }
      await app.expectRefusal(400, 'POST', `${stagesPath(study)}/${path}/responses`, submissionOf(study, wrong))
      study.record.refusals++
    }
    const receipt = await app.post(
      `${stagesPath(study)}/${path}/responses`,
      submissionOf(study, { [code]: statementAnswers(answers[code]) }),
    )
    const { columns, score } = scoreAnswers(code, answers[code])
    const messages = score >= CALL_FROM ? [CALL] : []
    study.checks.equal(`the receipt of ${title}`, [receipt.score, receipt.onScreenMessages], [score, messages])
    recordResponse(study.record, { person, stage: code, n: week, response: receipt._id, columns, score }, 'participant')
  }
}

/** The window has closed, or the participant has withdrawn: the app must be refused; staff may still enter answers. */
async function checkSubmissionRefused(study: Study, { app }: Member, week: number): Promise<void> {
  const path = `${stagesPath(study)}/${occurrence(study, 'phq9', week)}/responses`
  await app.expectRefusal(403, 'POST', path, submissionOf(study, { phq9: statementAnswers(new Array(9).fill(0)) }))
  study.record.refusals++
}

/** The nurse asks on the telephone the questions that were not answered in time. */
async function telephone(study: Study, member: Member, week: number, answers: Answers): Promise<void> {
  for (const code of WEEKLY) {
    const stored = await enterAsNurse(study, member, code, week, { [code]: statementAnswers(answers[code]) })
    const { columns, score } = scoreAnswers(code, answers[code])
    study.checks.equal('the score of a telephone visit', stored.score, score)
    recordResponse(
      study.record,
      { person: member.person, stage: code, n: week, response: stored._id, columns, score },
      'user',
    )
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
  const body = { response: submissionOf(study, answers) }
  const { body: stored } = await nurse.request('PUT', path, body, key)
  const { body: again } = await nurse.request('PUT', path, body, key)
  study.checks.equal('a report that was sent twice', again._id, stored._id)
  const columns = { ae_term: term, ae_severity: severity, ae_serious: isSerious ? 'Yes' : 'No', ...reason }
  const { _id: response, stageRecurrence: n } = stored
  recordResponse(study.record, { person, stage: 'adverse', n, response, columns, score: undefined }, 'user')
}
