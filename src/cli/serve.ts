import type { Option } from '#server/config/options'
import { configure, serverOptions } from '#server/config/settings'
import type { Command, ServerCall } from './command'

/** A flag and no setting: a loss is accepted for one start, never for all later ones. */
const acceptLossOption: Option = {
  flag: 'accept-loss',
  summary: 'start although the database lacks changes that it held before; the loss is entered in the log',
}

/** Not a setting either: each restored directory is to be let go by a person. */
const goLiveOption: Option = {
  flag: 'go-live',
  summary: 'let a restored copy send from now on, which is entered in the log; give it once',
}

export const command: Command<ServerCall> = {
  name: 'serve',
  summary: 'run the server: API, files, jobs, timers and web pages',
  usage: '[flags]',
  about:
    'Everything is kept in one data directory, which the first start makes. As long as there is no account, each start prints\na link to make the first one. SIGTERM or Ctrl+C stops the server; it finishes the running requests first.\n\nMetrics for Prometheus are at /metrics. This machine may read them; if TRIALBOX_METRICS_TOKEN is set (16 to 200\ncharacters), so may whoever sends it as a bearer token. With --metrics-listen they are there only.\n\nWith --test, the server prints one line of JSON as soon as it accepts requests: url, apiKey, team, user, email, password.\nIt ends with the program that started it, and leaves nothing behind.',
  options: [...serverOptions, acceptLossOption, goLiveOption],
  examples: [
    'trialbox serve',
    'trialbox serve --data /srv/trialbox --host 0.0.0.0 --public-url https://study.example.org',
    'trialbox serve --test --port 0',
  ],
  async run({ flags, env, loadProgram }) {
    const { 'accept-loss': acceptLoss, 'go-live': goLive, ...settings } = flags
    const config = configure(settings, env)
    const { serve } = await import('#server/start')
    await serve(await loadProgram(), config, undefined, { acceptLoss: acceptLoss === true, goLive: goLive === true })
    return new Promise<never>(() => {}) // The server runs until a signal ends it.
  },
}
