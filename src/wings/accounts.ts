/** All operations of the wing `accounts`. */

import { sessionOperations } from '#accounts/sessions/operations'
import { ownSessionOperations } from '#accounts/sessions/ownOperations'
import { teamOperations } from '#accounts/teams/operations'
import { emailOperations } from '#accounts/users/emailOperations'
import { userOperations } from '#accounts/users/operations'
import { setupOperations } from '#accounts/users/setupOperations'
import { totpOperations } from '#accounts/users/totpOperations'

export const accountsOperations = [
  ...userOperations,
  ...emailOperations,
  ...totpOperations,
  ...sessionOperations,
  ...ownSessionOperations,
  ...setupOperations,
  ...teamOperations,
] as const
