import fc from 'fast-check';

// The usual run tries the same cases every time; WAYMARK_FULL=1 looks for new ones.
if (!process.env['WAYMARK_FULL']) fc.configureGlobal({ seed: 4840 });
