"""The pages of a study: what raters see, and what the person who runs the study sees. Needs the extra `web`."""
