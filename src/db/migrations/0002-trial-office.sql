-- The trial office: files, packs, randomisation, monitoring and messages of sites.

-- Files of the trial master file

-- Approvals of files

-- Text and search of files

-- Packs

-- Randomisation

-- Monitoring of sites

-- Delegation and training

-- Messages of sites
