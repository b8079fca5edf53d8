import { type NewTrial, newTrial } from '#exchange/trials/creation'
import { buildStudy } from './build'
import { fillStudy } from './fill'
import { study } from './study'

type Starting = Parameters<typeof newTrial>[0] &
  Pick<Parameters<typeof buildStudy>[0], 'record'> & { after(effect: () => void): void }

/** Adds a trial with the demo study; its people and their data follow after the commit. */
export function startDemo(starting: Starting): NewTrial {
  const { services, db, now, id, caller, record, after } = starting
  const { user } = caller
  const made = newTrial(starting, study.trial)
  const { trial } = made
  const names = buildStudy({ db, now, trial, user: user._id, id, record })
  after(() => void fillStudy(services, { trial: trial._id, names, user, now }))
  return made
}
