/** The settings of the metrics (docs/running.md, "Monitoring"). */
import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'
import type { Option } from './options'

/** A listener that answers the metrics only. */
export type MetricsAddress = Readonly<{ host: string; port: number }>

export const metricsOption: Option = {
  flag: 'metrics-listen',
  takes: 'address:port',
  summary: 'answer /metrics there, over plain HTTP on this machine, and not on the main port',
  env: 'TRIALBOX_METRICS_LISTEN',
  otherwise: 'the main port',
}

/** @throws a fault, unless it is an address of this machine with a port: plain HTTP would show the token to others */
export function metricsAddressOf(text: string | undefined): MetricsAddress | undefined {
  if (text === undefined) return undefined
  const [, host = '', port = ''] = /^(\[[\da-f:]+\]|[^:]+):(\d{1,5})$/i.exec(text) ?? []
  if (!isLoopback(bareHost(host)) || Number(port) > 65_535)
    throw fault(
      `--metrics-listen must be an address of this machine and a port, such as 127.0.0.1:9464, not "${text}".`,
    )
  return Object.freeze({ host: bareHost(host), port: Number(port) })
}

/** Only from the environment and the file: every user of the machine can read a command line. */
export function metricsTokenOf(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]{16,200}$/.test(token))
    throw fault('TRIALBOX_METRICS_TOKEN must be 16 to 200 characters without spaces.')
  return token
}
