/** What the console takes from an account for `may` is what the server gives the person: on the study, on its places, in the team. */
import { expect, test } from 'bun:test'
import { accessOf } from '#access/identify'
import { permissions, teamMembers } from '#db/tables/index'
import { placeOf } from '#web/console/data/access'
import { sharedInFile, world } from '../../harness'

const shared = sharedInFile(() => world())

test.each<[who: string, team: string[], words: string[], onSite: string[], role: string[]]>([
  ['a team administrator', ['team.admin'], [], [], []],
  ['who manages studies', ['trials.manage'], [], [], []],
  ['a reader', [], ['trial.read'], [], []],
  ['a nurse of a site', [], [], ['site.readParticipants', 'trial.support'], []],
  ['somebody with a role', [], [], [], ['trial.writeParticipantStudyData']],
  ['somebody with all of it', [], ['trial.readUsers'], ['site.write'], ['trial.support']],
])('%s', async (_who, ofTeam, words, onSite, role) => {
  const { db, team, trial: makeTrial, owner, invite } = await shared()
  const trial = makeTrial()
  const other = makeTrial()
  const { _id: site } = await owner.do('createSite', trial, { name: 'Harbour', id: 'HA' })
  const { _id: foreign } = await owner.do('createSite', other, { name: 'Elsewhere', id: 'EL' })
  const somebody = invite()
  const give = (of: typeof trial, scope: string, keys: string[]) =>
    db
      .insert(permissions)
      .values({ user: somebody._id, trial: of, scope: scope as typeof trial, keys })
      .run()
  db.insert(teamMembers).values({ team, user: somebody._id, permissions: ofTeam }).run()
  if (words.length) give(trial, trial, words)
  if (onSite.length) give(trial, site, onSite)
  give(other, foreign, ['site.admin'])
  if (role.length) {
    const { _id } = await owner.do('createRole', trial, { name: 'Role', permissions: { [trial]: role, [site]: role } })
    await owner.do('assignRole', somebody._id, _id)
  }
  const user = await somebody.do('readOwnUser')
  const place = placeOf(user, { trial, team, settings: undefined, known: new Set([site]) })
  const held = accessOf(db, somebody._id)
  const given = held.trials.get(trial)
  expect(place.access?.trial).toEqual(given?.trial ?? new Set())
  const keysOn = (of: typeof place.access) => new Map([...(of?.places ?? [])].map(([id, { keys }]) => [`${id}`, keys]))
  expect(keysOn(place.access)).toEqual(keysOn(given))
  expect(place.team).toEqual(held.teams.get(team)?.permissions)
})
