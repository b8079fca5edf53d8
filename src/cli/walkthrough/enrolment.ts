/** Enrols participants, and checks that the service refuses what must not be possible. */
import { newSecret } from '#kernel/id'
import { bearer, forEach } from './client'
import { enterAsNurse, participants } from './entry'
import type { Member, Study } from './model'
import type { Person } from './plan'
import { recordResponse } from './record'

/** The participants that are not archived: only these are in lists, casebooks and exports. */
export const notArchived = ({ members }: Study): Member[] =>
  [...members.values()].filter(({ state }) => state !== 'archived')

/** Nurses register participants at their site and hold the first visit; the owner assigns groups; then participants sign in. */
export async function enrol(study: Study, people: readonly Person[]): Promise<void> {
  const { trial, owner, anonymous, checks } = study
  const newcomers: Member[] = []
  for (const [site, nurse] of trial.nurses.entries()) {
    const here = people.filter((person) => person.site === site)
    if (!here.length) continue
    const batch = here.map(({ participantId, signsInBy }) => ({
      participantId,
      ...(signsInBy === 'password' ? { password: newSecret().slice(0, 12) } : {}),
    }))
    const { participants: created } = await nurse.post(participants(study), { participants: batch })
    for (const [n, person] of here.entries()) {
      checks.equal(
        'a registered participant',
        [created[n].id, created[n].sites],
        [person.participantId, [trial.sites[site]]],
      )
      newcomers.push({ person, _id: created[n]._id, password: batch[n]!.password, app: anonymous, state: 'active' })
    }
  }
  await owner.patch(participants(study), {
    updates: newcomers.map(({ _id, person }) => ({ participant: _id, groups: [trial.arms[person.arm]] })),
  })
  await forEach(newcomers, async (member) => {
    const { email, phone } = member.person
    if (email || phone) await owner.put(`${participants(study)}/${member._id}`, { email, phone })
    await holdVisit(study, member)
    member.app = anonymous.as(bearer(await signIn(study, member)))
    study.members.set(member.person.participantId, member)
  })
}

async function signIn({ trial, owner, anonymous }: Study, { _id, person, password }: Member): Promise<string> {
  const { participantId } = person
  if (password)
    return (await anonymous.post('/participants/sessions', { trialCode: trial.code, participantId, password })).token
  const { url } = await owner.post(`/trials/${trial._id}/participants/${_id}/grants`, { expiresInDays: 1 })
  const grant = new URL(url).searchParams.get('grant')
  return (await anonymous.post('/participants/grants/exchange', { grant })).token
}

async function holdVisit(study: Study, member: Member): Promise<void> {
  const { sex, birthYear, postcode, height, weight } = member.person
  const bmi = Math.round((weight * 100_000) / height ** 2) / 10 // in whole numbers, so that halves are halves
  const answers = { sex: [sex], birth_year: birthYear, postcode, body: { height, weight } }
  const stored = await enterAsNurse(study, member, 'enrolment', undefined, answers)
  study.checks.equal('the BMI', stored.response[study.trial.fields.body!].value, { bmi, height, weight })
  study.checks.equal('the postcode, to a nurse', stored.response[study.trial.fields.postcode!], undefined)
  const columns = { sex, birth_year: birthYear, postcode, body_bmi: bmi, body_height: height, body_weight: weight }
  const { _id: response } = stored
  recordResponse(
    study.record,
    { person: member.person, stage: 'enrolment', n: 0, response, columns, score: undefined },
    'user',
  )
}

/** Checks what must be refused: a wrong password, an ID twice, another site's participant, what a role does not permit. */
export async function checkRefusals(study: Study): Promise<void> {
  const { trial, anonymous, owner, checks, members, record } = study
  const [first, ...others] = [...members.values()]
  const stranger = others.find(({ person }) => person.site !== first!.person.site)!
  const nurse = trial.nurses[first!.person.site]!
  const { participantId } = first!.person
  await anonymous.expectRefusal(401, 'POST', '/participants/sessions', {
    trialCode: trial.code,
    participantId,
    password: 'no',
  })
  const twice = [{ participantId: 'NEW-001' }, { participantId: participantId.toLowerCase() }]
  await owner.expectRefusal(400, 'POST', participants(study), { participants: twice })
  await nurse.expectRefusal(404, 'GET', `${participants(study)}/${stranger._id}`)
  await nurse.expectRefusal(403, 'DELETE', `${participants(study)}/${first!._id}`, {
    reason: 'Only to see whether I may.',
  })
  await first!.app.expectRefusal(401, 'GET', `/trials/${trial._id}`)
  record.refusals += 5
  record.accessRefused++
  const { total } = await owner.get(participants(study))
  checks.equal('participants after a refused batch', total, members.size)
}
