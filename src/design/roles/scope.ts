import { rowById } from '#db/rows'
import { roles } from '#db/tables/index'
import { type TrialScope, trial, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { type Person, personOf } from './peopleStore'
import type { RoleRow } from './store'

type RoleScope = TrialScope & { role: RoleRow }

/** The role that `:roleId` names, with its trial. */
export const role: Scope<RoleScope, 'roleId'> = (context) => {
  const role = found(rowById(context.db, roles, context.params.roleId), 'role')
  return { ...trialVisibleTo(context, role.trial, 'role'), role }
}

/** The role that `:roleId` names, and the person that `:userId` names. Refuses (404) a person outside its trial and team. */
export const roleOfPerson: Scope<RoleScope & { person: Person }, 'roleId' | 'userId'> = (context) => {
  const inRole = role(context)
  return { ...inRole, person: found(personOf(context.db, inRole.trial._id, context.params.userId), 'user') }
}

/** The trial that `:trialId` names, and the person that `:userId` names. */
export const person: Scope<TrialScope & { person: Person }, 'trialId' | 'userId'> = (context) => {
  const inTrial = trial(context)
  return { ...inTrial, person: found(personOf(context.db, inTrial.trial._id, context.params.userId), 'user') }
}
