"""A backend of NetworkX: its functions for spanning trees and connected components, computed here.

NetworkX finds it by the entry points of this package.
"""
