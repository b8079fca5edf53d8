import { anywhere, operation } from '#http/operation'
import { settingsOf } from './rules'
import { trial } from './scope'
import { textList } from './systemTexts'
import { SystemTexts } from './textModel'

const listTexts = operation({
  id: 'listTexts',
  method: 'GET',
  path: '/trials/:trialId/texts',
  summary: 'List the texts that the service sends for a trial, in every language',
  description: 'PUT /trials/:trialId with `texts` replaces some of them.',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: SystemTexts,
  run: ({ trial }) => ({ texts: textList(settingsOf(trial).texts) }),
})

export const textOperations = [listTexts] as const
