/** The pages of the manual in reading order, compiled into the executable. */

import accounts from '../../../docs/accounts.md' with { type: 'text' }
import appointments from '../../../docs/appointments.md' with { type: 'text' }
import automaticQueries from '../../../docs/automatic-queries.md' with { type: 'text' }
import backup from '../../../docs/backup.md' with { type: 'text' }
import calculations from '../../../docs/calculations.md' with { type: 'text' }
import centralMonitoring from '../../../docs/central-monitoring.md' with { type: 'text' }
import certificates from '../../../docs/certificates.md' with { type: 'text' }
import commands from '../../../docs/commands.md' with { type: 'text' }
import commandsBackup from '../../../docs/commands-backup.md' with { type: 'text' }
import consent from '../../../docs/consent.md' with { type: 'text' }
import staffConsole from '../../../docs/console.md' with { type: 'text' }
import contract from '../../../docs/contract.md' with { type: 'text' }
import dashboard from '../../../docs/dashboard.md' with { type: 'text' }
import dataTypes from '../../../docs/data-types.md' with { type: 'text' }
import decisions from '../../../docs/decisions.md' with { type: 'text' }
import developers from '../../../docs/developers.md' with { type: 'text' }
import essentialRecords from '../../../docs/essential-records.md' with { type: 'text' }
import exports from '../../../docs/exports.md' with { type: 'text' }
import fhir from '../../../docs/fhir.md' with { type: 'text' }
import food from '../../../docs/food.md' with { type: 'text' }
import forms from '../../../docs/forms.md' with { type: 'text' }
import gettingStarted from '../../../docs/getting-started.md' with { type: 'text' }
import hosting from '../../../docs/hosting.md' with { type: 'text' }
import imports from '../../../docs/imports.md' with { type: 'text' }
import incentives from '../../../docs/incentives.md' with { type: 'text' }
import insights from '../../../docs/insights.md' with { type: 'text' }
import languages from '../../../docs/languages.md' with { type: 'text' }
import masterFile from '../../../docs/master-file.md' with { type: 'text' }
import meetings from '../../../docs/meetings.md' with { type: 'text' }
import messages from '../../../docs/messages.md' with { type: 'text' }
import monitoring from '../../../docs/monitoring.md' with { type: 'text' }
import odm from '../../../docs/odm.md' with { type: 'text' }
import offline from '../../../docs/offline.md' with { type: 'text' }
import operationsAccounts from '../../../docs/operations-accounts.md' with { type: 'text' }
import operationsConduct from '../../../docs/operations-conduct.md' with { type: 'text' }
import operationsOffice from '../../../docs/operations-office.md' with { type: 'text' }
import operationsParticipants from '../../../docs/operations-participants.md' with { type: 'text' }
import operationsStudy from '../../../docs/operations-study.md' with { type: 'text' }
import packs from '../../../docs/packs.md' with { type: 'text' }
import participantApp from '../../../docs/participant-app.md' with { type: 'text' }
import participants from '../../../docs/participants.md' with { type: 'text' }
import performance from '../../../docs/performance.md' with { type: 'text' }
import permissions from '../../../docs/permissions.md' with { type: 'text' }
import polls from '../../../docs/polls.md' with { type: 'text' }
import start from '../../../docs/README.md' with { type: 'text' }
import rSasPrismParquet from '../../../docs/r-sas-prism-parquet.md' with { type: 'text' }
import randomisation from '../../../docs/randomisation.md' with { type: 'text' }
import refusals from '../../../docs/refusals.md' with { type: 'text' }
import refusalsAccounts from '../../../docs/refusals-accounts.md' with { type: 'text' }
import refusalsConduct from '../../../docs/refusals-conduct.md' with { type: 'text' }
import refusalsDesign from '../../../docs/refusals-design.md' with { type: 'text' }
import refusalsExchange from '../../../docs/refusals-exchange.md' with { type: 'text' }
import refusalsOffice from '../../../docs/refusals-office.md' with { type: 'text' }
import review from '../../../docs/review.md' with { type: 'text' }
import running from '../../../docs/running.md' with { type: 'text' }
import sdtm from '../../../docs/sdtm.md' with { type: 'text' }
import security from '../../../docs/security.md' with { type: 'text' }
import settings from '../../../docs/settings.md' with { type: 'text' }
import sharedTablets from '../../../docs/shared-tablets.md' with { type: 'text' }
import sites from '../../../docs/sites.md' with { type: 'text' }
import statisticsFormats from '../../../docs/statistics-formats.md' with { type: 'text' }
import timelines from '../../../docs/timelines.md' with { type: 'text' }
import tour from '../../../docs/tour.md' with { type: 'text' }
import translations from '../../../docs/translations.md' with { type: 'text' }
import wearables from '../../../docs/wearables.md' with { type: 'text' }
import webhooks from '../../../docs/webhooks.md' with { type: 'text' }
import type { Page } from './render'

export const parts: readonly { title: string; pages: readonly Page[] }[] = [
  {
    title: 'Start',
    pages: [
      { name: 'README', text: start },
      { name: 'getting-started', text: gettingStarted },
      { name: 'tour', text: tour },
      { name: 'accounts', text: accounts },
    ],
  },
  {
    title: 'Run a server',
    pages: [
      { name: 'running', text: running },
      { name: 'hosting', text: hosting },
      { name: 'certificates', text: certificates },
      { name: 'languages', text: languages },
      { name: 'settings', text: settings },
      { name: 'commands', text: commands },
      { name: 'commands-backup', text: commandsBackup },
      { name: 'backup', text: backup },
      { name: 'security', text: security },
      { name: 'performance', text: performance },
    ],
  },
  {
    title: 'Set up a study',
    pages: [
      { name: 'data-types', text: dataTypes },
      { name: 'forms', text: forms },
      { name: 'polls', text: polls },
      { name: 'calculations', text: calculations },
      { name: 'timelines', text: timelines },
      { name: 'translations', text: translations },
      { name: 'imports', text: imports },
    ],
  },
  {
    title: 'Run a study',
    pages: [
      { name: 'console', text: staffConsole },
      { name: 'participants', text: participants },
      { name: 'consent', text: consent },
      { name: 'participant-app', text: participantApp },
      { name: 'shared-tablets', text: sharedTablets },
      { name: 'offline', text: offline },
      { name: 'appointments', text: appointments },
      { name: 'meetings', text: meetings },
      { name: 'messages', text: messages },
      { name: 'food', text: food },
      { name: 'wearables', text: wearables },
      { name: 'packs', text: packs },
      { name: 'randomisation', text: randomisation },
      { name: 'incentives', text: incentives },
      { name: 'sites', text: sites },
      { name: 'review', text: review },
      { name: 'monitoring', text: monitoring },
      { name: 'automatic-queries', text: automaticQueries },
      { name: 'insights', text: insights },
      { name: 'dashboard', text: dashboard },
      { name: 'central-monitoring', text: centralMonitoring },
      { name: 'master-file', text: masterFile },
      { name: 'essential-records', text: essentialRecords },
      { name: 'exports', text: exports },
      { name: 'odm', text: odm },
      { name: 'r-sas-prism-parquet', text: rSasPrismParquet },
      { name: 'sdtm', text: sdtm },
      { name: 'webhooks', text: webhooks },
      { name: 'statistics-formats', text: statisticsFormats },
      { name: 'fhir', text: fhir },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { name: 'contract', text: contract },
      { name: 'permissions', text: permissions },
      { name: 'operations-accounts', text: operationsAccounts },
      { name: 'operations-study', text: operationsStudy },
      { name: 'operations-conduct', text: operationsConduct },
      { name: 'operations-participants', text: operationsParticipants },
      { name: 'operations-office', text: operationsOffice },
      { name: 'refusals', text: refusals },
      { name: 'refusals-accounts', text: refusalsAccounts },
      { name: 'refusals-design', text: refusalsDesign },
      { name: 'refusals-conduct', text: refusalsConduct },
      { name: 'refusals-office', text: refusalsOffice },
      { name: 'refusals-exchange', text: refusalsExchange },
      { name: 'decisions', text: decisions },
      { name: 'developers', text: developers },
    ],
  },
]
