/** All operations of the server in one list, for what needs them together: the OpenAPI document, the client and the tests. */

import { healthOperations } from '#http/health'
import type { AnyOperation } from '#http/operation'
import { accountsOperations } from '#wings/accounts'
import { conductOperations } from '#wings/conduct'
import { designOperations } from '#wings/design'
import { exchangeOperations } from '#wings/exchange'
import { officeOperations } from '#wings/office'

export const wings = {
  http: healthOperations,
  accounts: accountsOperations,
  design: designOperations,
  conduct: conductOperations,
  office: officeOperations,
  exchange: exchangeOperations,
} satisfies Record<string, readonly AnyOperation[]>

export const operations: readonly AnyOperation[] = Object.values(wings).flat()
