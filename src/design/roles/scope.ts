import { rowById } from '#db/rows'
import { roles } from '#db/tables/index'
import { type InTrial, trial, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { type Person, personOf } from './peopleStore'
import type { RoleRow } from './store'

export type InRole = InTrial & { role: RoleRow }

/** The role that `:roleId` names, with its trial. */
export const role: Scope<InRole, 'roleId'> = (asked) => {
  const role = found(rowById(asked.db, roles, asked.params.roleId), 'role')
  return { ...trialVisibleTo(asked, role.trial, 'role'), role }
}

/** The role that `:roleId` names, and the person that `:userId` names. Refuses (404) a person outside its trial and team. */
export const roleOfPerson: Scope<InRole & { person: Person }, 'roleId' | 'userId'> = (asked) => {
  const scoped = role(asked)
  return { ...scoped, person: found(personOf(asked.db, scoped.trial._id, asked.params.userId), 'user') }
}

/** The trial that `:trialId` names, and the person that `:userId` names. */
export const person: Scope<InTrial & { person: Person }, 'trialId' | 'userId'> = (asked) => {
  const scoped = trial(asked)
  return { ...scoped, person: found(personOf(asked.db, scoped.trial._id, asked.params.userId), 'user') }
}
