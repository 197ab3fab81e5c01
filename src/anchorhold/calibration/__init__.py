"""The whole chain by simulation, from true gains and games to verdicts: do intervals cover, how often is HALT wrong?"""
