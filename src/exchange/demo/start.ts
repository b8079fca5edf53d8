import { type NewTrial, newTrial } from '#design/trials/creation'
import { buildStudy } from './build'
import { fillStudy } from './fill'
import { study } from './study'

type StartContext = Parameters<typeof newTrial>[0] &
  Pick<Parameters<typeof buildStudy>[0], 'record'> & { after(effect: () => void): void }

/** Adds a trial with the demo study; its people and their data follow after the commit. */
export function startDemo(context: StartContext): NewTrial {
  const { services, db, now, id, caller, record, after } = context
  const { user } = caller
  const created = newTrial(context, study.trial)
  const { trial } = created
  const names = buildStudy({ db, now, trial, user: user._id, id, record })
  after(() => void fillStudy(services, { trial: trial._id, names, user, now }))
  return created
}
