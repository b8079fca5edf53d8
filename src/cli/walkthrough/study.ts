/**
 * Runs a small study from its first day to its exports, over HTTP only: it works with any server whose clock
 * can be moved. It compares all results of the service with what was sent; the first difference is a fault.
 */
import { HOUR, type Instant, instantText } from '#kernel/time'
import { signIn } from './accounts'
import { startChecks } from './checks'
import { connect, type Send } from './client'
import { enterCorrections } from './corrections'
import { passDay } from './days'
import { checkExports } from './exports'
import { checkMessages, checkStaffMail, type Mail } from './messages'
import type { Study } from './model'
import { planStudy } from './plan'
import { emptyRecord } from './record'
import { checkMarks, review } from './review'
import { closeStudy } from './studyEnd'
import { exchangeMessages, notifyEverybody } from './threads'
import { checkTrail } from './trail'
import { createTrial } from './trial'

/** The server on which a study runs, and the account that runs it. */
type StudyServer = {
  /** {base_url}. */
  url: string
  /** The API key of an account that may create trials in the team and invite people to it. */
  apiKey: string
  /** The same account in the web app, which can confirm its identity. */
  email: string
  password: string
  team: string
  /** The midnight (UTC) at which its first day begins. It must be later than the server's clock. */
  start: Instant
  /** Sets the server's clock to a later moment, and lets it do what is due by then. */
  moveTo(at: Instant): Promise<void>
  /** Reads the outbox, if the server allows it: e-mails to staff are in no log. */
  outbox?(): Promise<Mail[]>
  /** `fetch` by default. */
  send?: Send
}

export type Size = { participants: number; weeks: number; seed: number }

/** The result of a run. */
export type Outcome = {
  trial: { _id: string; code: string }
  /** A participant with credentials, to sign in as. */
  participant: { participantId: string; password: string }
  counts: Record<string, number>
}

/** Days after the last week, until late corrections are entered. */
export const CLOSING_DAYS = 2

/**
 * Runs a study.
 * @param log called with a line at each step
 * @throws a fault at the first difference
 */
export async function runStudy(studyServer: StudyServer, size: Size, log: (line: string) => void): Promise<Outcome> {
  const plan = planStudy(size.participants, size.weeks, size.seed)
  const anonymous = connect(studyServer.url, studyServer.send)
  const owner = anonymous.as({ Authorization: `Bearer ${studyServer.apiKey}` })
  const at = (day: number, hour: number) => studyServer.moveTo(studyServer.start + Math.round((day * 24 + hour) * HOUR))
  await at(0, 6)
  const trial = await createTrial(owner, anonymous, studyServer.team, plan)
  const study: Study = {
    ...{ plan, trial, owner, anonymous, members: new Map() },
    ...{ record: emptyRecord(), checks: startChecks(), queries: [], recalculated: undefined },
  }
  log(`the trial ${trial.code} is set up: 3 sites, 3 nurses, PHQ-9 and GAD-7 weekly for ${plan.weeks} weeks`)

  for (let day = 0; day < plan.days; day++) {
    await passDay(study, day, at)
    if (day === plan.amendedOn) log(`the study is a week longer${byJob(study)}, and reminds a day earlier`)
    if (day % 7 === 6) log(`week ${(day + 1) / 7}: ${totals(study)}`)
  }
  await at(plan.days + 1, 10)
  await review(study)
  log(`the monitor's review: ${study.queries.length} queries on adverse events, and the automatic queries about age`)
  const threads = await exchangeMessages(study)
  const notified = await notifyEverybody(study, () => at(plan.days + 1, 10.1))
  log(`${threads} participants and their nurses wrote to each other, and ${notified} were notified`)
  await enterCorrections(study)
  await checkMarks(study)
  log(`${plan.corrections.length} late corrections, each with its note and its history`)
  const exported = await checkExports(study)
  log(`csv and xlsx: ${exported.rows} responses, PHQ-9 points ${exported.phq9}, GAD-7 points ${exported.gad7}`)
  const sent = await checkMessages(study)
  log(`${sent.messages} messages to participants, ${sent.tasks} tasks for the team`)
  await at(plan.days + 1, 11)
  const { signed, locked } = await closeStudy(
    study,
    await signIn(anonymous, studyServer.email, studyServer.password),
    studyServer.password,
  )
  log(`${signed} casebooks signed; the database locked, its ${locked} responses compared, and unlocked`)
  if (studyServer.outbox) checkStaffMail(study, await studyServer.outbox())
  await checkTrail(study, exported.count)
  log(`${study.checks.comparisons} comparisons: all results match what was sent`)

  const { person, password } = [...study.members.values()].find((each) => each.password && each.state === 'active')!
  return {
    trial,
    participant: { participantId: person.participantId, password: password! },
    counts: {
      participants: plan.people.length,
      responses: study.record.entries.size,
      byParticipants: study.record.submissions.participant,
      byStaff: study.record.submissions.user,
      refusals: study.record.refusals,
      corrections: plan.corrections.length,
      messages: sent.messages,
      tasks: sent.tasks,
      queries: study.queries.length,
      signatures: signed,
      comparisons: study.checks.comparisons,
    },
  }
}

const byJob = ({ recalculated }: Study) =>
  recalculated === undefined ? '' : `, by a job for ${recalculated} participants`

function totals({ members, record }: Study): string {
  const { participant, user } = record.submissions
  return `${members.size} participants, ${participant} submissions by them and ${user} by staff, ${record.refusals} refused`
}

/** The midnight (UTC) after a moment. */
export const nextMidnight = (at: Instant): Instant => (Math.floor(at / (24 * HOUR)) + 1) * 24 * HOUR

/** The body of `PUT /test/clock`. */
export const clockBody = (at: Instant) => ({ now: instantText(at) })
