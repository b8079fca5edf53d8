import { configure, serverOptions } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'serve',
  summary: 'run the service: API, files, jobs, schedule and web pages',
  usage: '[flags]',
  about:
    'Everything is kept in one data directory, which is made on first start. Then a link is shown with which the first\naccount is made. SIGTERM or Ctrl+C stops it: what is in flight is finished first.\n\nNumbers for Prometheus are at /metrics, for this machine; where TRIALBOX_METRICS_TOKEN is set (16 to 200 characters), for\nwhoever sends it as a bearer token too.\n\nWith --test it prints one line of JSON once it accepts requests: url, apiKey, team, user, email, password.',
  options: serverOptions,
  examples: [
    'trialbox serve',
    'trialbox serve --data /srv/trialbox --host 0.0.0.0 --public-url https://study.example.org',
    'trialbox serve --test --port 0',
  ],
  async run({ flags, env }) {
    const config = configure(flags, env)
    const { serve } = await import('#server/start')
    await serve(config)
    return new Promise<never>(() => {}) // a signal ends it
  },
}
