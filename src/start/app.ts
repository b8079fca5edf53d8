/** All operations of the server in one list, for what needs them together: the OpenAPI document, the client and the tests. */

import { healthOperations } from '#http/health'
import type { AnyOperation } from '#http/operation'
import { accountsOperations } from '#wings/accounts'
import { conductOperations } from '#wings/conduct'
import { designOperations } from '#wings/design'
import { exchangeOperations } from '#wings/exchange'
import { officeOperations } from '#wings/office'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...accountsOperations,
  ...designOperations,
  ...conductOperations,
  ...officeOperations,
  ...exchangeOperations,
]
