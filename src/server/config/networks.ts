/** The settings of webhooks: the private networks that may be called, and whether anything is sent. */
import { fault } from '#kernel/fault'
import { type Network, networkFrom } from '#kernel/networks'
import type { Option } from './options'

/** Where the receivers of developers are. */
export const LOOPBACK = '127.0.0.0/8,::1'

export const networksOption: Option = {
  flag: 'outgoing-networks',
  takes: 'networks',
  summary: 'private networks that webhooks may call, such as 10.1.0.0/16, separated by commas',
  env: 'TRIALBOX_OUTGOING_NETWORKS',
  otherwise: 'public addresses only; with --test also this machine',
}

export const noWebhooksOption: Option = {
  flag: 'no-webhooks',
  summary: 'send nothing to webhooks; what happens waits for them',
  env: 'TRIALBOX_NO_WEBHOOKS',
}

/** Reads `--outgoing-networks`. @throws a fault for a text that is no network */
export function networksOf(text: string): readonly Network[] {
  const texts = text.split(',').flatMap((network) => network.trim() || [])
  return Object.freeze(
    texts.map((each) => {
      const network = networkFrom(each)
      if (network) return network
      throw fault(`--outgoing-networks must be networks such as 10.1.0.0/16 or fd00:12::/32, not "${each}".`)
    }),
  )
}
