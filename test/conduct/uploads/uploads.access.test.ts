import { expect, test } from 'bun:test'
import { type Id, newId } from '#kernel/id'
import { usableFile } from '#storage/store'
import { world } from '../../harness'
import { atSite, putBytes, uploadRequestUrl } from './uploads.study'

test('staff must name the purpose of a file', async () => {
  const { status, body } = await world().owner.call('GET', uploadRequestUrl('trial', undefined))
  expect([status, body.validations]).toEqual([422, { query: { forId: ['Missing data for required field.'] } }])
})

test('a file for something that the person cannot see is 404', async () => {
  const here = world()
  const { team: otherTeam, owner: other } = here.neighbours()
  const trial = here.trial()
  const { site, participant } = atSite(here, trial)
  const unseen: [string, Id][] = [
    ['trial', trial],
    ['site', site],
    ['participant', participant],
    ['team', here.team],
    ['user', here.owner._id],
    ['query', newId(0)],
    ['trial', newId(0)],
    ['participant', newId(0)],
    ['site', newId(0)],
  ]
  for (const [forType, forId] of unseen)
    expect((await other.call('GET', uploadRequestUrl(forType, forId))).status).toBe(404)
  await other.get(uploadRequestUrl('team', otherTeam))
  await other.get(uploadRequestUrl('user', other._id))
  expect((await here.nobody.call('GET', uploadRequestUrl('trial', trial))).status).toBe(401)
})

test('restricted accounts upload to their own sites and participants only', async () => {
  const here = world()
  const trial = here.trial()
  const a = atSite(here, trial)
  const b = atSite(here, trial)
  const nurse = here.staff(trial, ['site.writeParticipantStudyData', 'site.writeSiteMessages'], a.site)
  await nurse.get(uploadRequestUrl('participant', a.participant))
  await nurse.get(uploadRequestUrl('site', a.site))
  for (const url of [uploadRequestUrl('participant', b.participant), uploadRequestUrl('site', b.site)]) {
    expect((await nurse.call('GET', url)).status).toBe(404)
  }
})

test('documents for a team are uploaded by people who may create trials', async () => {
  const here = world()
  const cases = [
    [[], 403],
    [['trials.manage'], 403],
    [['trials.create'], 200],
    [['team.admin'], 200],
  ] as const
  for (const [words, expected] of cases) {
    const { status } = await here.invite([...words]).call('GET', uploadRequestUrl('team', here.team))
    expect([words, status]).toEqual([words, expected])
  }
})

test('participants upload for themselves only', async () => {
  const here = world()
  const trial = here.trial()
  const { site, participant, patient } = atSite(here, trial)
  const other = atSite(here, trial)
  const { signedRequestURL, fileName } = await patient.get(uploadRequestUrl('participant', undefined))
  expect((await putBytes(here, signedRequestURL)).status).toBe(200)
  expect(usableFile(here.db, fileName, 'participant', participant)).toMatchObject({ createdBy: participant, trial })
  expect(usableFile(here.db, fileName, 'participant', other.participant)).toBeUndefined()
  await patient.get(uploadRequestUrl('participant', participant))
  for (const url of [
    uploadRequestUrl('participant', other.participant),
    uploadRequestUrl('trial', trial),
    uploadRequestUrl('site', site),
  ]) {
    expect((await patient.call('GET', url)).status).toBe(404)
  }
})
